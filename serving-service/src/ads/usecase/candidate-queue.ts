import type { RequestId, SessionClaims } from '@placard/service-kit/pure';
import { isCapped, OPEN_UNIT, placementUnit, type CapCounts } from '../../caps/domain/caps.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import {
  hasCapInReach,
  isAnyWanted,
  isWanted,
  nextCandidates,
  type Candidate,
  type SelectionFacts,
} from '../../selection/domain/select.js';
import type { CapStore } from '../../caps/store/cap-store.js';
import type { Refusal } from '../../caps/usecase/claim-slots.js';
import type { FillResult, FillTask } from './fill-task.js';

/**
 * Number of further campaigns in the first, second, … question of a request. The last number holds for all later
 * questions.
 */
const AHEAD = [0, 8, 64, 512, 2_048] as const;
const AHEAD_MAX = 2_048;

/** Dependencies of a queue. */
export interface CandidateQueueDeps {
  readonly caps: Pick<CapStore, 'counts'>;
  /**
   * Sessions that were refused before, by the fraud cap or a full cap. Their requests take no money before the verdict
   * and the counts are known, so that repeated requests in vain hold no budget.
   */
  readonly wary: WeakSet<SessionClaims>;
  readonly onDegraded: (error: unknown, requestId: RequestId) => void;
}

/**
 * The candidates of a request in their order. The counts of caps are missing until they are read, so the first
 * candidate may be a capped one.
 */
export class CandidateQueue {
  readonly #deps: CandidateQueueDeps;
  readonly #task: FillTask;
  #facts: SelectionFacts;
  #areCountsKnown = false;
  /** Candidates that were found ahead of their turn. */
  #ahead: Candidate[] = [];
  /** Candidates whose money did not come in time. */
  readonly #postponed: Candidate[] = [];
  #isLastRound = false;
  #questions = 0;
  /** Set when the request gets no ad, whatever candidates remain. */
  #end: 'refused' | 'placement_capped' | 'none' | null = null;

  constructor(deps: CandidateQueueDeps, task: FillTask) {
    this.#deps = deps;
    this.#task = task;
    this.#facts = task.facts;
  }

  /** The next candidate by the current facts. Null: there is none. */
  next(): Candidate | null {
    if (this.#end !== null) return null;
    for (let ahead = this.#ahead.pop(); ahead !== undefined; ahead = this.#ahead.pop()) {
      if (this.isLeft(ahead)) return ahead;
    }
    return nextCandidates(this.#task.walk, this.#facts, 1)[0] ?? this.#nextPostponed();
  }

  /** Whether all candidates had their turn. The postponed ones then have another. */
  get isLastRound(): boolean {
    return this.#isLastRound;
  }

  /** Gives a candidate another turn after all others. In the last round it has none. */
  postpone(candidate: Candidate): void {
    if (!this.#isLastRound) this.#postponed.push(candidate);
  }

  /** Whether an earlier candidate still is one by the current facts. */
  isLeft({ entry }: Candidate): boolean {
    return this.#end === null && isWanted(entry, this.#facts) && !this.#facts.isSkipped(entry);
  }

  /**
   * The next campaigns, whose verdicts should be asked for together with the current one. Each question asks for more.
   */
  lookAhead(): readonly IndexedCampaign[] {
    const count = AHEAD[this.#questions] ?? AHEAD_MAX;
    this.#questions += 1;
    if (this.#ahead.length > 0) return [];
    this.#ahead = nextCandidates(this.#task.walk, this.#facts, count).reverse();
    return this.#ahead.map(({ entry }) => entry);
  }

  /** Waits for the fraud verdict and, where a cap is in reach, for the counts. Either may end the queue. */
  async learn(): Promise<void> {
    if (this.#end !== null) return;
    const [isPassed, counts] = await Promise.all([this.#task.isPassed, this.#readCounts()]);
    if (!isPassed) this.refuse('fraud');
    else if (counts === 'down') this.refuse('down');
    else if (counts !== null) this.#setCounts(counts);
  }

  /** Processes the reason for which a candidate was not filled. */
  refuse(refusal: Refusal): void {
    if (refusal === 'down') {
      this.#end = 'none';
      return;
    }
    this.#deps.wary.add(this.#task.session);
    if (refusal === 'fraud') this.#end = 'refused';
    else {
      this.#setCounts(refusal.counts);
      if (refusal.unit === placementUnit(this.#task.slot.placement.code)) this.#end = 'placement_capped';
      if (refusal.unit === OPEN_UNIT) this.#end = 'none';
    }
  }

  /** The result of a request without an ad. The cap of the placement is checked even when no campaign was found. */
  async result(): Promise<FillResult> {
    await this.learn();
    if (this.#end === 'refused' || this.#end === 'placement_capped') return { kind: this.#end };
    return {
      kind: 'none',
      isWanted: isAnyWanted(this.#task.walk, this.#facts),
      isEnded: this.#end === 'none',
    };
  }

  #nextPostponed(): Candidate | null {
    this.#isLastRound = true;
    for (let late = this.#postponed.shift(); late !== undefined; late = this.#postponed.shift()) {
      if (this.isLeft(late)) return late;
    }
    return null;
  }

  /** Null: the counts are known, or no cap needs them. */
  async #readCounts(): Promise<CapCounts | 'down' | null> {
    const { slot, session, requestId, walk, time } = this.#task;
    if (this.#areCountsKnown) return null;
    if (slot.placement.frequencyCap === null && !hasCapInReach(walk)) return null;
    try {
      return await this.#deps.caps.counts(session.sessionId, time.filledAtMs);
    } catch (error) {
      this.#deps.onDegraded(error, requestId);
      return 'down';
    }
  }

  #setCounts(counts: CapCounts): void {
    const { code, frequencyCap } = this.#task.slot.placement;
    this.#areCountsKnown = true;
    this.#facts = { ...this.#facts, counts };
    if (!isCapped(counts, placementUnit(code), frequencyCap)) return;
    this.#deps.wary.add(this.#task.session);
    this.#end = 'placement_capped';
  }
}
