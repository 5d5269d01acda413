import { median } from '../median.js';
import type { Call, Part } from './part.js';
import { partOf } from './parts.js';

/** One stretch of load, with one part left out or none. */
export interface Turn {
  readonly call: Call;
  /** Counts from 1. */
  readonly round: number;
  /** Null: nothing was left out. */
  readonly part: string | null;
  /** CPU microseconds of all processes, stores included, for each answered call. */
  readonly micros: number;
  /** Uses of the stand-in for the part, per call; 0 when nothing was left out. */
  readonly uses: number;
}

/** The cost of a part of a call. */
export interface BillLine {
  readonly name: string;
  /** Saved microseconds without it, one figure for each round. */
  readonly saved: readonly number[];
  /** Share of the whole price, by medians. */
  readonly share: number;
  /** Uses per call; null: the line is the difference of two others. */
  readonly uses: number | null;
}

/** The cost of a call and of its parts, the most expensive first. */
export interface Bill {
  readonly call: Call;
  /** Microseconds of the whole call, one figure for each round. */
  readonly price: readonly number[];
  readonly lines: readonly BillLine[];
}

/**
 * The bill of a call. A turn without a part is compared with the mean of the whole turns right before and after it, so that
 * a drift of the machine's speed is not counted as the price of a part.
 */
export function billOf(call: Call, turns: readonly Turn[]): Bill {
  const own = turns.filter((turn) => turn.call === call);
  const rounds = [...new Set(own.map(({ round }) => round))];
  const price = rounds.map((round) => median(wholeOf(own, round)));
  const ids = [...new Set(own.flatMap(({ part }) => (part === null ? [] : [part])))];
  const saved = new Map(ids.map((id) => [id, rounds.flatMap((round) => savedBy(id, own, round))]));
  const lineOf = (name: string, figures: readonly number[], uses: number | null): BillLine => ({
    name,
    saved: figures,
    share: median(figures) / median(price),
    uses,
  });
  const lines = ids.map((id) => {
    const uses = own.filter(({ part }) => part === id).map((turn) => turn.uses);
    return lineOf(partOf(id).name, saved.get(id) ?? [], median(uses));
  });
  const between = ids.map(partOf).flatMap((part) => {
    const [whole = [], held] = [saved.get(part.id), saved.get(part.holds ?? '')];
    if (held === undefined) return [];
    return [
      lineOf(
        restName(part),
        whole.map((micros, at) => micros - (held[at] ?? 0)),
        null,
      ),
    ];
  });
  const dearestFirst = (a: BillLine, b: BillLine): number => median(b.saved) - median(a.saved);
  return { call, price, lines: [...lines, ...between].sort(dearestFirst) };
}

function restName({ name, holds = '' }: Part): string {
  return `= ${name}, less ${partOf(holds).name}`;
}

function wholeOf(turns: readonly Turn[], round: number): readonly number[] {
  return turns.filter((turn) => turn.round === round && turn.part === null).map(({ micros }) => micros);
}

function savedBy(id: string, turns: readonly Turn[], round: number): readonly number[] {
  const at = turns.findIndex((turn) => turn.round === round && turn.part === id);
  const turn = turns[at];
  if (turn === undefined) return [];
  const neighbours = [turns[at - 1], turns[at + 1]].filter(
    (one) => one?.part === null && one.round === round,
  );
  const whole = neighbours.reduce((sum, one) => sum + (one?.micros ?? 0), 0) / neighbours.length;
  return [whole - turn.micros];
}
