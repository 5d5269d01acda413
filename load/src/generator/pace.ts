import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../chance.js';
import { operationAt, type Mix, type Operation } from '../operations.js';
import type { Code } from './api.js';
import { encodeHistogram, makeHistogram, recordMs } from '../histogram.js';
import type { Phase, PhaseResult } from './messages.js';
import { plannedTimes } from './schedule.js';
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
export type ClientPart = Pick<PhaseResult, 'unsent' | 'clientWait'>;

/** Most pending calls. More would mean that the target is far overloaded. */
const IN_FLIGHT_MAX = 20_000;
const TICK_MS = 1;

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
  return { unsent: 0, clientWait: encodeHistogram(waits) };
}

/**
 * Sends by the plan, independent of answers. A latency counts from the planned time, so a stall of the target lengthens every
 * call that was due in it. No call waits for the connection of another. Ends with the last answer.
 */
export async function runOpen(
  parts: PaceParts,
  ratePerSecond: number,
  durationMs: number,
): Promise<ClientPart> {
  const { traffic, mix, chance, heard } = parts;
  const startedAtMs = performance.now();
  const onTheWay = new Set<Promise<void>>();
  const waits = makeHistogram();
  let unsent = 0;
  const sendOne = async (plannedAtMs: number): Promise<void> => {
    const job = await traffic.next(operationAt(mix, chance.next()));
    if (job === null) return;
    const code = await job.send(() => recordMs(waits, performance.now() - plannedAtMs));
    heard(job.operation, code, plannedAtMs);
  };
  for (const atMs of plannedTimes(ratePerSecond, durationMs, chance)) {
    const plannedAtMs = startedAtMs + atMs;
    while (performance.now() < plannedAtMs) await sleep(TICK_MS);
    if (onTheWay.size >= IN_FLIGHT_MAX) {
      unsent += 1;
      continue;
    }
    const sent = sendOne(plannedAtMs);
    onTheWay.add(sent);
    void sent.finally(() => onTheWay.delete(sent));
  }
  await Promise.all(onTheWay);
  return { unsent, clientWait: encodeHistogram(waits) };
}
