import type { Histogram } from 'hdr-histogram-js';
import { encodeHistogram, makeHistogram, recordMs } from '../histogram.js';
import type { Operation } from '../operations.js';
import { isExpected, type Code } from './api.js';
import type { Counted, Second } from './messages.js';

interface Tally {
  readonly histogram: Histogram;
  readonly codes: Map<Code, number>;
}

/** Counts the answers of one phase by operation and by second. */
export class Recorder {
  readonly #tallies = new Map<Operation, Tally>();
  readonly #recent = makeHistogram();
  #recentUnexpected = 0;

  /** Counts an answer. Answers of the warm-up must not be counted. */
  record(operation: Operation, code: Code, durationMs: number): void {
    let tally = this.#tallies.get(operation);
    if (tally === undefined) {
      tally = { histogram: makeHistogram(), codes: new Map() };
      this.#tallies.set(operation, tally);
    }
    recordMs(tally.histogram, durationMs);
    recordMs(this.#recent, durationMs);
    tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
    if (!isExpected(operation, code)) this.#recentUnexpected += 1;
  }

  /** The counts since the last call. */
  second(): Second {
    const second = {
      answers: this.#recent.totalCount,
      unexpected: this.#recentUnexpected,
      histogram: encodeHistogram(this.#recent),
    };
    this.#recent.reset();
    this.#recentUnexpected = 0;
    return second;
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
