import type { LoadFigures } from './figures.js';
import type { Phase } from './generator/messages.js';
import { putUnderLoad, type Place } from './place.js';

/** A closed loop with a number of pending calls. */
export interface ClosedLoop {
  readonly concurrency: number;
  readonly figures: LoadFigures;
}

/** The most that a target answers. */
export interface Saturation {
  /** Closed loops with increasing numbers of pending calls. */
  readonly closed: readonly ClosedLoop[];
  /** Answers per second of the best of them. */
  readonly saturation: number;
}

/** Numbers of pending calls in the search for saturation. With more, calls only wait longer. */
const LANES = [16, 32, 64] as const;

/** Finds the saturation of a place with a phase. */
export async function findSaturation(place: Place, usual: Phase): Promise<Saturation> {
  const { options, say } = place.run;
  const closed: ClosedLoop[] = [];
  for (const concurrency of LANES) {
    say(`${options.command}: ${concurrency} at a time …`);
    closed.push({ concurrency, figures: await putUnderLoad(place, { ...usual, concurrency, rate: null }) });
  }
  return { closed, saturation: Math.max(...closed.map(({ figures }) => perSecondOf(figures))) };
}

/** Answers per second, of all kinds. */
export function perSecondOf({ operations }: LoadFigures): number {
  return operations[0]?.perSecond ?? 0;
}
