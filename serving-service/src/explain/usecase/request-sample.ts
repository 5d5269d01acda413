import type { Outbox } from '@placard/service-kit/background';
import type { App, CampaignId, Placement, Random, RequestId, SessionId } from '@placard/service-kit/pure';
import type { AdRequest } from '../../domain/ad-request.js';
import type { ExplainedFacts } from '../domain/first-loss.js';
import { FunnelShare, judgedMaxOf } from '../domain/funnel-share.js';

/** What is done with a request. At least one of both. */
export interface Taken {
  /** Whether its explanation is kept. */
  readonly isKept: boolean;
  /** The number of live requests for which it counts in funnels, at least 1. Null: it does not count. */
  readonly weight: number | null;
}

/** What an explanation needs of the placement. */
export interface AnsweredSlot {
  readonly app: Pick<App, 'id' | 'language' | 'category'>;
  readonly placement: Pick<Placement, 'code'>;
}

/** An answered live request. */
export interface AnsweredRequest {
  readonly requestId: RequestId;
  readonly atMs: number;
  readonly request: AdRequest;
  readonly slot: AnsweredSlot;
  readonly sessionId: SessionId;
  /** `fill` or a no-fill reason. */
  readonly result: string;
  readonly winner: CampaignId | null;
  readonly endedAt: ExplainedFacts['endedAt'];
}

/** A request that waits for its explanation. */
export interface WaitingRequest extends Taken {
  readonly answered: AnsweredRequest;
}

/** Dependencies of the choice of requests. */
export interface ChooseRequestsDeps {
  /** The share of live requests whose explanations are kept, 0 to 1. */
  readonly sample: number;
  readonly random: Random;
  /** The number of campaigns. */
  readonly index: { readonly size: number };
  /** Explains requests in the background. */
  readonly waiting: Pick<Outbox<WaitingRequest>, 'push'>;
}

/**
 * Chooses the requests that are judged for funnels, and those whose explanations are kept. Contract:
 * docs/contract/explanations.md#sample, docs/contract/explanations.md#kept-requests.
 */
export class RequestSample {
  readonly #deps: ChooseRequestsDeps;
  readonly #share = new FunnelShare();
  /** Requests up to the next one that is kept. */
  #left: number;

  constructor(deps: ChooseRequestsDeps) {
    this.#deps = deps;
    this.#left = this.#gap();
  }

  /** What to do with a live request of the app at an instant (epoch ms). Null: nothing. */
  take(app: App, atMs: number): Taken | null {
    const isKept = this.#isNextKept() || app.isExplained;
    const weight = this.#weight(atMs);
    return isKept || weight !== null ? { isKept, weight } : null;
  }

  /** Explains the request in the background. */
  explain(taken: Taken, answered: AnsweredRequest): void {
    this.#deps.waiting.push({ ...taken, answered });
  }

  #weight(atMs: number): number | null {
    const { random, index } = this.#deps;
    const probability = this.#share.next(atMs, judgedMaxOf(index.size));
    return probability === 1 || random.next() < probability ? 1 / probability : null;
  }

  #isNextKept(): boolean {
    this.#left -= 1;
    if (this.#left > 0) return false;
    this.#left = this.#gap();
    return true;
  }

  /** A random distance to the next request that is kept, so that periodic traffic does not bias the sample. */
  #gap(): number {
    const { sample, random } = this.#deps;
    if (sample >= 1) return 1;
    return sample <= 0 ? Infinity : Math.ceil(Math.log1p(-random.next()) / Math.log1p(-sample));
  }
}
