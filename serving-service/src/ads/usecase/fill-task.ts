import type { CandidateWalk } from '../../selection/domain/candidate-walk.js';
import type { SelectionFacts } from '../../selection/domain/select.js';
import type { ClaimingRequest } from '../../caps/usecase/claim-slots.js';
import type { Fill } from './make-fill.js';

/** A request that has reached selection. */
export interface FillTask extends ClaimingRequest {
  /** Epoch ms. Infinite: no deadline. */
  readonly deadlineAt: number;
  readonly walk: CandidateWalk;
  /** The facts without counts of caps. These are read when they matter. */
  readonly facts: SelectionFacts;
}

/** The ad, or the reason why there is none. */
export type FillResult =
  /** `undo` gives price and slots back. It has an effect once. */
  | { readonly kind: 'filled'; readonly fill: Fill; readonly undo: () => void }
  /**
   * `isWanted`: at least one campaign has passed targeting and caps. `isEnded`: the session has too many open fills, or
   * Redis is down, so that no campaign could get the request.
   */
  | { readonly kind: 'none'; readonly isWanted: boolean; readonly isEnded: boolean }
  | { readonly kind: 'placement_capped' }
  /** The fraud cap refuses the request. */
  | { readonly kind: 'refused' };
