import type { Outbox } from '@placard/service-kit/background';
import type { App, CampaignId, Placement, Random, RequestId, SessionId } from '@placard/service-kit/pure';
import type { AdRequest } from '../../domain/ad-request.js';
import type { ExplainedFacts } from '../domain/first-loss.js';

/** What is done with a request. */
export interface Taken {
  /** Whether the request is in the sample of the funnels. */
  readonly isSampled: boolean;
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
  /** The share of live requests in the sample, 0 to 1. */
  readonly sample: number;
  readonly random: Random;
  /** Explains requests in the background. */
  readonly waiting: Pick<Outbox<WaitingRequest>, 'push'>;
}

/** Chooses the requests that are explained. A request that is not chosen costs one subtraction. */
export class RequestSample {
  readonly #deps: ChooseRequestsDeps;
  /** Requests up to the next one of the sample. */
  #left: number;

  constructor(deps: ChooseRequestsDeps) {
    this.#deps = deps;
    this.#left = this.#gap();
  }

  /** Whether to explain a live request of the app. Null: it is not explained. */
  take(app: App): Taken | null {
    this.#left -= 1;
    if (this.#left > 0) return app.isExplained ? { isSampled: false } : null;
    this.#left = this.#gap();
    return { isSampled: true };
  }

  /** Explains the request in the background. */
  explain(taken: Taken, answered: AnsweredRequest): void {
    this.#deps.waiting.push({ ...taken, answered });
  }

  /** A random distance to the next request of the sample, so that periodic traffic does not bias it. */
  #gap(): number {
    const { sample, random } = this.#deps;
    if (sample >= 1) return 1;
    return sample <= 0 ? Infinity : Math.ceil(Math.log1p(-random.next()) / Math.log1p(-sample));
  }
}
