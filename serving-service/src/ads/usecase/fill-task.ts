import type { CandidateWalk } from '../../selection/domain/candidate-walk.js';
import type { SelectionFacts } from '../../selection/domain/select.js';
import type { ClaimingRequest } from '../../caps/usecase/claim-slots.js';
import type { Fill } from './make-fill.js';

/** One request that has come to selection. */
export interface FillTask extends ClaimingRequest {
  /** Epoch ms; infinite: none. */
  readonly deadlineAt: number;
  readonly walk: CandidateWalk;
  /** Without counts of caps: they are learned when they matter. */
  readonly facts: SelectionFacts;
}

/** The ad, or why there is none. */
export type FillResult =
  | { readonly kind: 'filled'; readonly fill: Fill }
  /** `isWanted`: some campaign was left after targeting and caps. */
  | { readonly kind: 'none'; readonly isWanted: boolean }
  | { readonly kind: 'placement_capped' }
  /** By the fraud cap. */
  | { readonly kind: 'refused' };
