import { makeTestRandom } from '@placard/service-kit/testing';
import type { Random } from '@placard/service-kit/pure';

/** The processes and stores that are hit, each in turn. */
export const TARGETS = [
  'gateway',
  'session-service',
  'serving-service',
  'events-service',
  'settlement-worker',
  'fraud-service',
  'console-service',
  'redis',
  'postgres',
] as const;

/** One of them. */
export type Target = (typeof TARGETS)[number];

/**
 * What is done. `kill`: SIGKILL, and started again with its data; `stop`: SIGSTOP for a while; `latency`, `blackhole`,
 * `reset`: on the connections between it and the others; `flush`: Redis forgets everything while it runs; `lose`: Redis is
 * killed and comes back empty; `lose-both`: Redis loses its memory in the moment in which serving-service is killed.
 */
export type FaultKind = 'kill' | 'stop' | 'latency' | 'blackhole' | 'reset' | 'flush' | 'lose' | 'lose-both';

/** One fault of the plan. */
export interface PlannedFault {
  readonly target: Target;
  readonly kind: FaultKind;
  /** How long it lasts, for those that last, in milliseconds. */
  readonly holdMs: number;
  /** Of latency, per chunk and direction, in milliseconds. */
  readonly delayMs: number;
  /** [0,1): which one of the connections; null: all of them. */
  readonly connection: number | null;
  /** Rest behind it before the next one, in milliseconds; not long enough for everything to be well again. */
  readonly restMs: number;
}

const ANY: readonly FaultKind[] = ['kill', 'stop', 'latency', 'blackhole', 'reset'];
const OF_REDIS: readonly FaultKind[] = [...ANY, 'flush', 'lose', 'lose-both'];

/**
 * Endless rounds; in each, every target once, in an order of its own. Over the rounds a target meets every kind before one
 * comes again. `holdMsMax` bounds how long a fault lasts.
 */
export function* planFaults(seed: number, holdMsMax: number): Generator<PlannedFault, never> {
  const random = makeTestRandom(seed);
  const decks = new Map<Target, FaultKind[]>();
  const draw = (target: Target): FaultKind => {
    let deck = decks.get(target);
    if (deck === undefined || deck.length === 0) {
      deck = shuffled(target === 'redis' ? OF_REDIS : ANY, random);
      decks.set(target, deck);
    }
    return deck.pop()!;
  };
  for (;;) {
    for (const target of shuffled(TARGETS, random)) {
      yield {
        target,
        kind: draw(target),
        holdMs: Math.round(500 + random.next() * (holdMsMax - 500)),
        delayMs: Math.round(20 + random.next() * 380),
        connection: random.next() < 0.5 ? null : random.next(),
        restMs: Math.round(200 + random.next() * 1_300),
      };
    }
  }
}

/** A fault in a few words. */
export function inWords({ target, kind, holdMs, delayMs, connection }: PlannedFault): string {
  const where = connection === null ? 'all connections' : 'one connection';
  if (kind === 'kill') return `kill -9 ${target}`;
  if (kind === 'stop') return `stop ${target} for ${holdMs} ms`;
  if (kind === 'flush') return 'redis forgets everything';
  if (kind === 'lose') return 'kill -9 redis, which comes back empty';
  if (kind === 'lose-both') return 'kill -9 serving-service and redis, which comes back empty';
  const what = kind === 'latency' ? `latency of ${delayMs} ms` : kind;
  return `${what} on ${where} of ${target} for ${holdMs} ms`;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  const order: T[] = [];
  while (left.length > 0) order.push(...left.splice(Math.floor(random.next() * left.length), 1));
  return order;
}
