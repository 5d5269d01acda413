/** The events whose answers are final (docs/contract/sdk-api.md#event-rejections). */
export const EVENT_KINDS = ['impression', 'click', 'reward'] as const;

/** One of them. */
export type EventKind = (typeof EVENT_KINDS)[number];

/** The answer to one attempt; `unknown`: a 5xx or no answer. */
export type Outcome =
  | 'accepted'
  | 'duplicate'
  | 'expired_token'
  | 'suspicious'
  | 'no_impression'
  | 'invalid_token'
  | 'request_mismatch'
  | 'unknown';

/** A fill as the client received it. */
export interface BookedFill {
  readonly requestId: string;
  /** `cmp_test` for a test ad. */
  readonly campaignId: string;
  readonly appId: string;
  /** When the answer came, epoch ms by the client's clock. */
  readonly filledAtMs: number;
}

/** The time around an ad's end in which two copies of an impression may get different answers, because clocks differ. */
export interface LastMoment {
  readonly adTtlMs: number;
  /** Distance from the ad's end, before and after it, in milliseconds. */
  readonly withinMs: number;
}

/** The verdict over all attempts of one event; `open`: not known yet, so the event must be sent again. */
export type Verdict = 'accepted' | 'refused' | 'open' | 'none';

/**
 * The client's own book: every fill and every answer. It never reads from the product; it holds the product's promises. An
 * accepted answer, or a `duplicate` after an attempt whose answer was lost, promises that the event is settled once
 * (docs/contract/money.md#exactly-once, docs/contract/final-answers.md#a-rejection-is-final).
 */
export class Book {
  readonly #fills = new Map<string, BookedFill>();
  readonly #events = new Map<EventKind, Map<string, Outcome[]>>();
  readonly #completions = new Map<string, boolean>();
  readonly #tally = new Map<string, number>();
  readonly #lastMoment: LastMoment | null;
  /** Request ids of impressions that were answered expired at a time that is not around the end of their ad. */
  readonly #expiredEarly = new Set<string>();

  /** Null: clocks agree, and so do all copies of an event. Contract: docs/contract/final-answers.md#clocks-that-differ. */
  constructor(lastMoment: LastMoment | null = null) {
    this.#lastMoment = lastMoment;
  }

  /** Adds to a count in the table of the run. */
  count(name: string, by = 1): void {
    this.#tally.set(name, this.counted(name) + by);
  }

  counted(name: string): number {
    return this.#tally.get(name) ?? 0;
  }

  addFill(fill: BookedFill): void {
    this.#fills.set(fill.requestId, fill);
  }

  /** The fill of a request id; undefined: it was never received. */
  fill(requestId: string): BookedFill | undefined {
    return this.#fills.get(requestId);
  }

  get fills(): readonly BookedFill[] {
    return [...this.#fills.values()];
  }

  /** Adds the answer to one attempt, and its time (epoch ms by the client's clock). */
  addOutcome(kind: EventKind, requestId: string, outcome: Outcome, atMs = Date.now()): void {
    if (outcome === 'expired_token' && !this.#isLastMoment(requestId, atMs))
      this.#expiredEarly.add(requestId);
    const lines = this.#linesOf(kind);
    lines.set(requestId, [...(lines.get(requestId) ?? []), outcome]);
    if (outcome === 'accepted') this.count(`${kind}s accepted`);
    else if (outcome === 'duplicate') this.count('duplicates refused');
    else this.count(`${kind}s ${outcome}`);
  }

  /** Adds the completion of the first report of a reward. */
  noteCompletion(requestId: string, completion: boolean): void {
    if (!this.#completions.has(requestId)) this.#completions.set(requestId, completion);
  }

  /** The completion in the first report of an accepted reward. */
  isCompleted(requestId: string): boolean {
    return this.#completions.get(requestId) ?? false;
  }

  verdict(kind: EventKind, requestId: string): Verdict {
    return judge(this.#linesOf(kind).get(requestId) ?? []).verdict;
  }

  /** Request ids of the events that the product has accepted. */
  accepted(kind: EventKind): readonly string[] {
    return [...this.#linesOf(kind).keys()].filter((id) => this.verdict(kind, id) === 'accepted');
  }

  /** Events that were sent and have no final answer. */
  open(): readonly { readonly kind: EventKind; readonly requestId: string }[] {
    return EVENT_KINDS.flatMap((kind) =>
      [...this.#linesOf(kind).keys()]
        .filter((requestId) => this.verdict(kind, requestId) === 'open')
        .map((requestId) => ({ kind, requestId })),
    );
  }

  /** Descriptions of answers that contradict each other. */
  contradictions(): readonly string[] {
    return EVENT_KINDS.flatMap((kind) =>
      [...this.#linesOf(kind)].flatMap(([requestId, outcomes]) => {
        const { fault } = judge(this.#withoutLastMoment(kind, requestId, outcomes));
        return fault === null ? [] : [`${kind} ${requestId}: ${fault} (${outcomes.join(', ')})`];
      }),
    );
  }

  #isLastMoment(requestId: string, atMs: number): boolean {
    const fill = this.#fills.get(requestId);
    if (this.#lastMoment === null || fill === undefined) return false;
    return Math.abs(atMs - fill.filledAtMs - this.#lastMoment.adTtlMs) <= this.#lastMoment.withinMs;
  }

  /** The answers to an accepted impression, without those that were `expired_token` around the end of the ad. */
  #withoutLastMoment(kind: EventKind, requestId: string, outcomes: readonly Outcome[]): readonly Outcome[] {
    if (kind !== 'impression' || this.#expiredEarly.has(requestId)) return outcomes;
    return outcomes.filter((outcome) => outcome !== 'expired_token');
  }

  #linesOf(kind: EventKind): Map<string, Outcome[]> {
    let lines = this.#events.get(kind);
    if (lines === undefined) {
      lines = new Map();
      this.#events.set(kind, lines);
    }
    return lines;
  }
}

interface Judgement {
  readonly verdict: Verdict;
  /** Null: the answers agree. */
  readonly fault: string | null;
}

/** Judges the answers to one event, in any order: attempts run in parallel, and answers overtake each other. */
function judge(outcomes: readonly Outcome[]): Judgement {
  if (outcomes.length === 0) return { verdict: 'none', fault: null };
  const count = (wanted: Outcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  const [accepted, duplicate, unknown] = [count('accepted'), count('duplicate'), count('unknown')];
  const isRefused = accepted + duplicate + unknown < outcomes.length;
  if (accepted > 1) return { verdict: 'accepted', fault: 'was accepted more than once' };
  if (accepted === 1 || (duplicate > 0 && unknown > 0)) {
    return { verdict: 'accepted', fault: isRefused ? 'was both accepted and refused' : null };
  }
  if (duplicate > 0) return { verdict: 'refused', fault: 'is answered duplicate, and was never accepted' };
  return { verdict: isRefused ? 'refused' : 'open', fault: null };
}
