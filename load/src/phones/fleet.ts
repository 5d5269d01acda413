import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '@placard/service-kit/pure';
import type { AppEntry } from '../market/market.js';
import { Phone } from './device/phone.js';
import type { Book } from './domain/book.js';
import type { Network } from './domain/network.js';
import { makeProfile } from './domain/population.js';

/** What the fleet does. */
export interface FleetOptions {
  readonly sessions: number;
  readonly hours: number;
  /** Seconds of the phones' time in a second. */
  readonly speed: number;
  readonly seed: number;
  /** The network of all phones; default: each has its own. */
  readonly network?: Network;
}

/** Where the fleet runs. */
export interface FleetDeps {
  /** With the version segment. */
  readonly baseUrl: string;
  /** At least one. */
  readonly apps: readonly AppEntry[];
  readonly book: Book;
  /** Called each second. */
  readonly onProgress: (state: FleetState) => void;
  /** Aborted when the day is to end early. */
  readonly stopping: AbortSignal;
  /** Aborted when the server is gone: nothing is sent any more. */
  readonly lost: AbortSignal;
}

/** The fleet at a moment. */
export interface FleetState {
  /** Milliseconds of the phones' time. */
  readonly phoneMs: number;
  readonly inUse: number;
  readonly isDraining: boolean;
}

const PROGRESS_MS = 1_000;
/** Longest time for the events that wait at the end, in milliseconds of real time. */
const DRAIN_MS_MAX = 60_000;

/** Lets the phones live their day, and sends what waits at its end. Events that cannot be sent are unsettled in the book. */
export async function runFleet(
  { sessions, hours, speed, seed, network }: FleetOptions,
  deps: FleetDeps,
): Promise<void> {
  const { baseUrl, apps, book, onProgress, stopping, lost } = deps;
  const startedAtMs = performance.now();
  const over = new AbortController();
  const ending = AbortSignal.any([over.signal, stopping, lost]);
  // Each phone listens.
  setMaxListeners(sessions, ending);
  const phones = Array.from({ length: sessions }, (_, index) => {
    const own = makeProfile(seed, index, apps);
    const profile = { ...own, network: network ?? own.network };
    return new Phone({ baseUrl, profile, seed, hours, speed, startedAtMs, book, ending });
  });
  let isDraining = false;
  const progress = setInterval(() => {
    const phoneMs = Math.min((performance.now() - startedAtMs) * speed, hours * HOUR_MS);
    onProgress({ phoneMs, inUse: phones.filter((phone) => phone.isInUse).length, isDraining });
  }, PROGRESS_MS);
  const lastHour = setTimeout(() => over.abort(), (hours * HOUR_MS) / speed);
  try {
    await Promise.all(phones.map((phone) => phone.live()));
    isDraining = true;
    const enough = new AbortController();
    const signal = AbortSignal.any([enough.signal, lost]);
    const late = sleep(DRAIN_MS_MAX, undefined, { signal }).catch(() => undefined);
    await Promise.race([Promise.all(phones.map((phone) => phone.drain())), late]);
    enough.abort();
  } finally {
    clearTimeout(lastHour);
    clearInterval(progress);
    for (const phone of phones) phone.close();
  }
}
