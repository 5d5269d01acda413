import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../chance.js';
import { operationAt, type Mix, type Operation } from '../operations.js';
import type { Code } from './api.js';
import { encodeHistogram, makeHistogram, recordMs } from '../histogram.js';
import type { Phase, PhaseResult } from './messages.js';
import { plannedTimes, type Stretch } from './schedule.js';
import type { Traffic } from './traffic.js';

/** Called for every answer. `fromMs` is the start of its latency by `performance.now()`. */
export type Heard = (operation: Operation, code: Code, fromMs: number) => void;

/** What both loops need. */
export interface PaceParts {
  readonly traffic: Traffic;
  readonly mix: Mix;
  readonly chance: Chance;
  readonly heard: Heard;
}

/** Effects of the client itself on the calls. */
export type ClientPart = Pick<PhaseResult, 'unsent' | 'clientWait' | 'lateness'>;

/** Most pending calls of a generator, so that its memory has a bound. Calls beyond it are not sent, which is a fault. */
const IN_FLIGHT_MAX = 50_000;
const TICK_MS = 1;
/** Most calls that are sent before the event loop reads answers, when the generator is late. */
const SENT_IN_TURN_MAX = 100;

/** Sends the next call of each lane when its last one is answered. Ends when all lanes have their last answer. */
export async function runClosed(
  parts: PaceParts,
  { concurrency, callsMax }: Pick<Phase, 'concurrency' | 'callsMax'>,
  durationMs: number,
): Promise<ClientPart> {
  const { traffic, mix, chance, heard } = parts;
  const endsAtMs = performance.now() + durationMs;
  const waits = makeHistogram();
  let left = callsMax ?? Number.POSITIVE_INFINITY;
  const lane = async (): Promise<void> => {
    while (performance.now() < endsAtMs && left > 0) {
      left -= 1;
      const job = await traffic.next(operationAt(mix, chance.next()));
      if (job === null) return;
      const fromMs = performance.now();
      const code = await job.send(() => recordMs(waits, performance.now() - fromMs));
      heard(job.operation, code, fromMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return { unsent: 0, clientWait: encodeHistogram(waits), lateness: encodeHistogram(makeHistogram()) };
}

/**
 * Sends by the plan, independent of answers. A latency counts from the planned time, so a stall of the target lengthens every
 * call that was due in it. No call waits for the connection of another. Ends with the last answer.
 */
export async function runOpen(parts: PaceParts, stretches: readonly Stretch[]): Promise<ClientPart> {
  const { traffic, mix, chance, heard } = parts;
  const waits = makeHistogram();
  const lateness = makeHistogram();
  const pending = new Pending();
  let unsent = 0;
  const sendOne = async (plannedAtMs: number): Promise<void> => {
    const job = await traffic.next(operationAt(mix, chance.next()));
    if (job === null) return;
    recordMs(lateness, performance.now() - plannedAtMs);
    const code = await job.send(() => recordMs(waits, performance.now() - plannedAtMs));
    heard(job.operation, code, plannedAtMs);
  };
  let sentInTurn = 0;
  const startedAtMs = performance.now();
  for (const atMs of plannedTimes(stretches, chance)) {
    const plannedAtMs = startedAtMs + atMs;
    if (sentInTurn >= SENT_IN_TURN_MAX) {
      sentInTurn = 0;
      await nextTurn();
    }
    while (performance.now() < plannedAtMs) {
      sentInTurn = 0;
      await sleep(TICK_MS);
    }
    sentInTurn += 1;
    if (pending.count >= IN_FLIGHT_MAX) unsent += 1;
    else pending.add(sendOne(plannedAtMs));
  }
  await pending.untilNone();
  return { unsent, clientWait: encodeHistogram(waits), lateness: encodeHistogram(lateness) };
}

/** Work on its way. */
class Pending {
  #count = 0;
  readonly #failures: unknown[] = [];
  #none: () => void = () => undefined;

  get count(): number {
    return this.#count;
  }

  add(work: Promise<void>): void {
    this.#count += 1;
    work
      .catch((error: unknown) => this.#failures.push(error))
      .finally(() => {
        this.#count -= 1;
        if (this.#count === 0) this.#none();
      });
  }

  /** Waits until nothing is on its way. Rejects with the first failure. */
  async untilNone(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#none = resolve));
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}
