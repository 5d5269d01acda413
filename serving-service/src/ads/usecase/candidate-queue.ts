import type { SessionClaims } from '@placard/service-kit/pure';
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

/** How many campaigns are looked at ahead with the first, second, … question of a request, and with all later ones. */
const AHEAD = [0, 8, 64, 512, 2_048] as const;
const AHEAD_MAX = 2_048;

/** What a queue needs. */
export interface CandidateQueueDeps {
  readonly caps: Pick<CapStore, 'counts'>;
  /**
   * Sessions that were refused here before, by the fraud cap or a full cap: no money is touched for them before verdict and
   * counts are known, so that whoever asks in vain holds nobody's budget.
   */
  readonly wary: WeakSet<SessionClaims>;
  readonly onDegraded: (error: unknown) => void;
}

/**
 * The candidates of a request in their order. The queue has no counts of caps until they are read, so the
 * first candidate may be one that is capped.
 */
export class CandidateQueue {
  readonly #deps: CandidateQueueDeps;
  readonly #task: FillTask;
  #facts: SelectionFacts;
  #areCountsKnown = false;
  /** Candidates that were looked at ahead. */
  #ahead: Candidate[] = [];
  #questions = 0;
  /** Set when the request gets no ad, whatever candidates are left. */
  #end: 'refused' | 'placement_capped' | 'none' | null = null;

  constructor(deps: CandidateQueueDeps, task: FillTask) {
    this.#deps = deps;
    this.#task = task;
    this.#facts = task.facts;
  }

  /** The next candidate that is left as far as is known now; null: there is none. */
  next(): Candidate | null {
    if (this.#end !== null) return null;
    for (let ahead = this.#ahead.pop(); ahead !== undefined; ahead = this.#ahead.pop()) {
      if (this.isLeft(ahead)) return ahead;
    }
    return nextCandidates(this.#task.walk, this.#facts, 1)[0] ?? null;
  }

  /** Whether a candidate that was found before is left by what is known now. */
  isLeft({ entry }: Candidate): boolean {
    return this.#end === null && isWanted(entry, this.#facts) && !this.#facts.isSkipped(entry);
  }

  /** The campaigns whose verdict should be asked for together with the one that was just taken: more with each question. */
  lookAhead(): readonly IndexedCampaign[] {
    const count = AHEAD[this.#questions] ?? AHEAD_MAX;
    this.#questions += 1;
    if (this.#ahead.length > 0) return [];
    this.#ahead = nextCandidates(this.#task.walk, this.#facts, count).reverse();
    return this.#ahead.map(({ entry }) => entry);
  }

  /** Waits for the fraud verdict, and for the counts where a cap is in reach. Either may end the queue. */
  async learn(): Promise<void> {
    if (this.#end !== null) return;
    const [isPassed, counts] = await Promise.all([this.#task.isPassed, this.#readCounts()]);
    if (!isPassed) this.refuse('fraud');
    else if (counts === 'down') this.refuse('down');
    else if (counts !== null) this.#setCounts(counts);
  }

  /** Takes in the reason for which a candidate was not filled. */
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

  /** What the request comes to without an ad. The placement's cap answers also where no campaign was found. */
  async result(): Promise<FillResult> {
    await this.learn();
    if (this.#end === 'refused' || this.#end === 'placement_capped') return { kind: this.#end };
    return { kind: 'none', isWanted: isAnyWanted(this.#task.walk, this.#facts) };
  }

  /** Null: they are known, or do not matter. */
  async #readCounts(): Promise<CapCounts | 'down' | null> {
    const { slot, session, walk, time } = this.#task;
    if (this.#areCountsKnown) return null;
    if (slot.placement.frequencyCap === null && !hasCapInReach(walk)) return null;
    try {
      return await this.#deps.caps.counts(session.sessionId, time.filledAtMs);
    } catch (error) {
      this.#deps.onDegraded(error);
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
