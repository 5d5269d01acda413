import { setTimeout as sleep } from 'node:timers/promises';
import { compare } from './comparison.js';
import type { Rig } from './rig.js';
import type { RunResult } from './run.js';

/** Traffic must be without trouble for this long before the deed, so that later trouble is its effect. */
const CALM_MS = 3_000;
const HEALTHY_MS_MAX = 45_000;
const POLL_MS = 200;
const ANSWERED_MS_MAX = 90_000;

/** Runs the phones during `deed`, waits until everything is settled, and compares. */
export async function runBeside(rig: Rig, deed: () => Promise<void>): Promise<RunResult> {
  const { traffic, book, market } = rig;
  try {
    traffic.start();
    await untilShown(rig);
    await sleep(CALM_MS);
    await deed();
    await untilShown(rig);
  } finally {
    await traffic.finish(ANSWERED_MS_MAX);
  }
  const facts = await rig.factsAtEnd();
  return { book, facts, findings: compare(book, market.terms, facts), faults: new Map() };
}

/** Waits until a whole ad succeeds; returns how long that took in milliseconds. */
export async function untilShown(rig: Rig): Promise<number> {
  const startedAtMs = Date.now();
  while ((await rig.traffic.showOne()) === null) {
    if (Date.now() - startedAtMs > HEALTHY_MS_MAX) {
      throw new Error(`no ad comes through within ${HEALTHY_MS_MAX} ms`);
    }
    await sleep(POLL_MS);
  }
  return Date.now() - startedAtMs;
}
