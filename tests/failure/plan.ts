import { makeTestRandom } from '@placard/service-kit/testing';
import type { Random } from '@placard/service-kit/pure';

/** Targets of faults: the processes, the stores, and serving-service together with both stores. */
export const TARGETS = [
  'gateway',
  'session-service',
  'serving-service',
  'serving-service-2',
  'events-service',
  'events-service-2',
  'settlement-worker',
  'fraud-service',
  'console-service',
  'redis',
  'postgres',
  'serving-and-stores',
] as const;

/** One of them. */
export type Target = (typeof TARGETS)[number];

/** The processes that hold and grant money. Their clocks may be shifted, and they may be stopped for over a minute. */
const MONEY_PROCESSES = [
  'serving-service',
  'serving-service-2',
  'events-service',
  'events-service-2',
] as const satisfies readonly Target[];

/** Processes and stores that are killed together. */
export const TOGETHER = ['serving-service', 'serving-service-2', 'redis', 'postgres'] as const;

/**
 * Kinds of faults. `kill`: SIGKILL, and a restart with its data; `stop`: SIGSTOP for a while; `stop-long`: SIGSTOP for more
 * than a minute, while other faults go on; `latency`, `blackhole`, `reset`: on its connections to the others; `clock`: its
 * clock is shifted by seconds, until another clock is; `flush`: Redis loses all data while it runs; `lose`: Redis is killed
 * and comes back empty; `stay-empty`: Redis loses all data repeatedly; `kill-together`: both replicas of serving-service and
 * both stores are killed at once, and Redis comes back empty.
 */
export type FaultKind =
  | 'kill'
  | 'stop'
  | 'stop-long'
  | 'latency'
  | 'blackhole'
  | 'reset'
  | 'clock'
  | 'flush'
  | 'lose'
  | 'stay-empty'
  | 'kill-together';

/** One fault of the plan. */
export interface PlannedFault {
  readonly target: Target;
  readonly kind: FaultKind;
  /** Duration in milliseconds, for kinds that last. */
  readonly holdMs: number;
  /** Delay of `latency` per chunk and direction, in milliseconds. */
  readonly delayMs: number;
  /** How far a clock is ahead, in milliseconds; negative: behind. */
  readonly offMs: number;
  /** [0,1): selects one of the connections; null: all of them. */
  readonly connection: number | null;
  /** Pause after it, in milliseconds. It is too short for a full recovery. */
  readonly restMs: number;
}

/** Options of a plan. */
export interface PlanOptions {
  /** Longest duration of a fault, in milliseconds, except for kinds with their own duration. */
  readonly holdMsMax: number;
  /** Whether replicas are also stopped for more than a minute. For runs of several minutes. */
  readonly hasLongStops: boolean;
}

const ANY: readonly FaultKind[] = ['kill', 'stop', 'latency', 'blackhole', 'reset'];
const KINDS: Readonly<Partial<Record<Target, readonly FaultKind[]>>> = {
  ...Object.fromEntries(MONEY_PROCESSES.map((name) => [name, [...ANY, 'clock']])),
  redis: [...ANY, 'flush', 'lose', 'stay-empty'],
  'serving-and-stores': ['kill-together'],
};

const CLOCK_OFF_MS = 5_000;
const EMPTY_MS = 10_000;
const LONG_STOP_MS = { min: 65_000, max: 75_000 } as const;
/** Rounds between long stops. serving-service is stopped in the first of them, events-service two rounds later. */
const LONG_STOP_EVERY = 5;
const LONG_STOPS: ReadonlyMap<number, readonly Target[]> = new Map<number, readonly Target[]>([
  [0, ['serving-service', 'serving-service-2']],
  [2, ['events-service', 'events-service-2']],
]);

/**
 * Plans endless rounds. Each round has every target once, in a random order. A target gets every kind of fault before one
 * repeats. A round with a long stop has it as an additional first fault.
 */
export function* planFaults(
  seed: number,
  { holdMsMax, hasLongStops }: PlanOptions,
): Generator<PlannedFault, never> {
  const random = makeTestRandom(seed);
  const decks = new Map<Target, FaultKind[]>();
  const draw = (target: Target): FaultKind => {
    let deck = decks.get(target);
    if (deck === undefined || deck.length === 0) {
      deck = shuffled(KINDS[target] ?? ANY, random);
      decks.set(target, deck);
    }
    return deck.pop()!;
  };
  for (let round = 0; ; round += 1) {
    const frozen = LONG_STOPS.get(round % LONG_STOP_EVERY);
    if (hasLongStops && frozen !== undefined) {
      const target = frozen[Math.floor(random.next() * frozen.length)]!;
      yield drawn({ target, kind: 'stop-long' }, holdMsMax, random);
    }
    for (const target of shuffled(TARGETS, random)) {
      yield drawn({ target, kind: draw(target) }, holdMsMax, random);
    }
  }
}

function drawn(
  { target, kind }: Pick<PlannedFault, 'target' | 'kind'>,
  holdMsMax: number,
  random: Random,
): PlannedFault {
  const between = (min: number, max: number): number => Math.round(min + random.next() * (max - min));
  return {
    target,
    kind,
    holdMs: holdTime(kind, between(500, holdMsMax), between(LONG_STOP_MS.min, LONG_STOP_MS.max)),
    delayMs: between(20, 400),
    offMs: random.next() < 0.5 ? CLOCK_OFF_MS : -CLOCK_OFF_MS,
    connection: random.next() < 0.5 ? null : random.next(),
    restMs: between(200, 1_500),
  };
}

function holdTime(kind: FaultKind, shortMs: number, longMs: number): number {
  if (kind === 'stop-long') return longMs;
  return kind === 'stay-empty' ? EMPTY_MS : shortMs;
}

/** A short description of a fault. */
export function inWords({ target, kind, holdMs, delayMs, offMs, connection }: PlannedFault): string {
  const where = connection === null ? 'all connections' : 'one connection';
  switch (kind) {
    case 'kill':
      return `kill -9 ${target}`;
    case 'stop':
    case 'stop-long':
      return `stop ${target} for ${holdMs} ms`;
    case 'clock':
      return `the clock of ${target} is ${Math.abs(offMs)} ms ${offMs < 0 ? 'behind' : 'ahead'}`;
    case 'flush':
      return 'redis loses all data';
    case 'lose':
      return 'kill -9 redis, which comes back empty';
    case 'stay-empty':
      return `redis stays empty for ${holdMs} ms`;
    case 'kill-together':
      return 'kill -9 both of serving-service, postgres and redis, which comes back empty';
    case 'latency':
      return `latency of ${delayMs} ms on ${where} of ${target} for ${holdMs} ms`;
    case 'blackhole':
    case 'reset':
      return `${kind} on ${where} of ${target} for ${holdMs} ms`;
  }
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  const order: T[] = [];
  while (left.length > 0) order.push(...left.splice(Math.floor(random.next() * left.length), 1));
  return order;
}
