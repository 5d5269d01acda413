import type { Histogram } from 'hdr-histogram-js';
import { encodeHistogram, makeHistogram, recordMs } from '../histogram.js';
import type { Operation } from '../operations.js';
import { outcomeOf, OUTCOMES, type Code, type Outcome } from './api.js';
import type { Counted, PhaseResult, Second } from './messages.js';

interface Tally {
  readonly histogram: Histogram;
  readonly codes: Map<Code, number>;
}

/** Counts the answers of one phase by operation and by second. */
export class Recorder {
  readonly #tallies = new Map<Operation, Tally>();
  readonly #recent = makeHistogram();
  #recentOutcomes = noneYet();
  readonly #outcomes = byOutcome(makeHistogram);

  /** Counts an answer. Answers of the warm-up must not be counted. */
  record(operation: Operation, code: Code, durationMs: number): void {
    let tally = this.#tallies.get(operation);
    if (tally === undefined) {
      tally = { histogram: makeHistogram(), codes: new Map() };
      this.#tallies.set(operation, tally);
    }
    recordMs(tally.histogram, durationMs);
    tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
    recordMs(this.#outcomes[outcomeOf(operation, code)], durationMs);
    this.follow(operation, code, durationMs);
  }

  /** Counts an answer for its second only. */
  follow(operation: Operation, code: Code, durationMs: number): void {
    recordMs(this.#recent, durationMs);
    this.#recentOutcomes[outcomeOf(operation, code)] += 1;
  }

  /** The counts since the last call. */
  second(): Second {
    const second = {
      outcomes: this.#recentOutcomes,
      histogram: encodeHistogram(this.#recent),
    };
    this.#recent.reset();
    this.#recentOutcomes = noneYet();
    return second;
  }

  /** Latencies by outcome. */
  outcomes(): PhaseResult['outcomes'] {
    return byOutcome((outcome) => encodeHistogram(this.#outcomes[outcome]));
  }

  /** All counts. */
  counted(): readonly Counted[] {
    return [...this.#tallies].map(([operation, { histogram, codes }]) => ({
      operation,
      histogram: encodeHistogram(histogram),
      codes: Object.fromEntries(codes),
    }));
  }
}

function byOutcome<Value>(make: (outcome: Outcome) => Value): Record<Outcome, Value> {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, make(outcome)])) as Record<Outcome, Value>;
}

function noneYet(): Record<Outcome, number> {
  return byOutcome(() => 0);
}
