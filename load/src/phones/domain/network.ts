import { DAY_MS } from '@placard/service-kit/pure';
import type { Chance } from '../../chance.js';
import { between } from './streams.js';

/** A kind of network. Times are milliseconds of real time in one direction, the rest are probabilities of one call. */
export interface Network {
  readonly name: string;
  readonly weight: number;
  readonly latencyMs: readonly [min: number, max: number];
  /** The request is lost before the server has it. */
  readonly requestLost: number;
  /** The server has handled the request, and its answer is lost with an error. */
  readonly answerLost: number;
  /** The server has handled the request, and its answer never comes, so that the phone waits until its time is over. */
  readonly answerSilent: number;
  /** Spells of a day in which the phone has no network. */
  readonly spellsPerDay: number;
}

/** The networks of the phones. */
export const NETWORKS: readonly Network[] = [
  network('wifi', 58, [4, 20], 0.001, 1),
  network('5g', 12, [8, 30], 0.002, 1),
  network('4g', 22, [15, 80], 0.01, 2),
  network('3g', 6, [60, 250], 0.04, 4),
  network('edge', 2, [150, 600], 0.1, 8),
];

function network(
  name: string,
  weight: number,
  latencyMs: readonly [number, number],
  loss: number,
  spellsPerDay: number,
): Network {
  return {
    name,
    weight,
    latencyMs,
    requestLost: loss,
    answerLost: loss,
    answerSilent: loss / 2,
    spellsPerDay,
  };
}

/** What a network does to one call. Latencies are milliseconds of real time. */
export interface Fate {
  readonly kind: 'arrives' | 'request_lost' | 'answer_lost' | 'answer_silent';
  readonly thereMs: number;
  readonly backMs: number;
}

/** The fate of a call. */
export function fateOf(network: Network, chance: Chance): Fate {
  const [min, max] = network.latencyMs;
  const thereMs = between(chance, min, max);
  const backMs = between(chance, min, max);
  let left = chance.next();
  const isNext = (probability: number): boolean => (left -= probability) < 0;
  if (isNext(network.requestLost)) return { kind: 'request_lost', thereMs, backMs };
  if (isNext(network.answerLost)) return { kind: 'answer_lost', thereMs, backMs };
  return { kind: isNext(network.answerSilent) ? 'answer_silent' : 'arrives', thereMs, backMs };
}

/** A spell without network, in milliseconds of the phone's time. */
export interface Spell {
  readonly fromMs: number;
  readonly toMs: number;
}

const SPELL_MS = [60_000, 1_500_000] as const;

/** The spells of a phone from 0 to `lengthMs`. They may overlap. */
export function spellsOf(network: Network, lengthMs: number, chance: Chance): readonly Spell[] {
  const count = Math.round(((network.spellsPerDay * lengthMs) / DAY_MS) * 2 * chance.next());
  return Array.from({ length: count }, () => {
    const fromMs = chance.next() * lengthMs;
    return { fromMs, toMs: fromMs + between(chance, ...SPELL_MS) };
  });
}
