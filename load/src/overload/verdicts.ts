import type { MemoryPoint } from '../measure/memory.js';
import type { HeldMoney } from './held-money.js';
import type { StepFigures } from './step-figures.js';

/** A target and whether it is met. */
export interface Verdict {
  readonly target: string;
  readonly seen: string;
  readonly isMet: boolean;
}

/** What the verdicts are about. */
export interface Judged {
  /** Answers per second of the best closed loop. */
  readonly saturation: number;
  readonly steps: readonly StepFigures[];
  readonly money: HeldMoney;
}

/** Highest p99 of accepted calls under overload, as a multiple of that at half load. */
export const P99_TIMES_MAX = 3;
const GOODPUT_MIN = 0.8;
const REFUSAL_MS_MAX = 50;
const RECOVERED_MS_MAX = 1_000;
/** Growth between the second and the last quarter of a step. A heap that fills and is collected differs by less. */
const GROWTH_MAX = 0.15;

/** The targets of the highest step. Throws an `Error` when there is no step. */
export function verdictsOf({ saturation, steps, money }: Judged): readonly Verdict[] {
  const [half, top] = [steps[0], steps.at(-1)];
  if (half === undefined || top === undefined) throw new Error('there is no step to judge');
  const bound = P99_TIMES_MAX * half.accepted.p99;
  const share = top.accepted.perSecond / saturation;
  return [
    {
      target: `p99 of accepted calls below ${P99_TIMES_MAX} × that of half load, ${bound.toFixed(0)} ms`,
      seen: `${top.accepted.p99.toFixed(0)} ms`,
      isMet: top.accepted.perSecond > 0 && top.accepted.p99 < bound,
    },
    {
      target: `goodput above ${percent(GOODPUT_MIN)} of saturation`,
      seen: percent(share),
      isMet: share > GOODPUT_MIN,
    },
    refusalVerdict(top),
    memoryVerdict(top),
    {
      target: `recovered within ${RECOVERED_MS_MAX / 1_000} s`,
      seen: top.recoveredMs === null ? 'not recovered' : `${top.recoveredMs} ms`,
      isMet: top.recoveredMs !== null && top.recoveredMs <= RECOVERED_MS_MAX,
    },
    moneyVerdict(money),
  ];
}

function refusalVerdict({ refused, offered, accepted }: StepFigures): Verdict {
  const target = `refused calls answered within ${REFUSAL_MS_MAX} ms (p99)`;
  if (refused.perSecond === 0) {
    const isAllAccepted = accepted.perSecond >= offered;
    return {
      target,
      seen: isAllAccepted ? 'all calls were accepted' : 'none was refused',
      isMet: isAllAccepted,
    };
  }
  return { target, seen: `${refused.p99.toFixed(1)} ms`, isMet: refused.p99 <= REFUSAL_MS_MAX };
}

function memoryVerdict({ memory }: StepFigures): Verdict {
  const grown = Object.entries(memory).flatMap(([name, points]) => {
    const growth = growthOf(points);
    return growth === null ? [] : [{ name, growth }];
  });
  const signed = (growth: number): string => `${growth < 0 ? '−' : '+'}${percent(Math.abs(growth))}`;
  return {
    target: `memory flat: at most ${percent(GROWTH_MAX)} more in the last quarter than in the second`,
    seen: grown.map(({ name, growth }) => `${name} ${signed(growth)}`).join(', ') || 'not known',
    isMet: grown.length > 0 && grown.every(({ growth }) => growth <= GROWTH_MAX),
  };
}

/**
 * Growth of memory from the second to the last quarter, as a share. In the first quarter heaps and connections adapt to the
 * load. Null: fewer than eight points.
 */
export function growthOf(points: readonly MemoryPoint[]): number | null {
  const quarter = Math.floor(points.length / 4);
  if (quarter < 2) return null;
  const before = meanOf(points.slice(quarter, 2 * quarter));
  return meanOf(points.slice(-quarter)) / before - 1;
}

function meanOf(points: readonly MemoryPoint[]): number {
  return points.reduce((sum, [, mib]) => sum + mib, 0) / points.length;
}

function moneyVerdict({ atEnd, left, waitedSeconds, overdueLeases, adSeconds }: HeldMoney): Verdict {
  return {
    target: `no money held after the life of the ads (${adSeconds} s here) and the close of their leases`,
    seen:
      left === 0
        ? `${atEnd.toFixed(2)} held at the end, 0 after ${waitedSeconds.toFixed(0)} s, ${overdueLeases} leases overdue`
        : `${left.toFixed(2)} of ${atEnd.toFixed(2)} still held after ${waitedSeconds.toFixed(0)} s, ${overdueLeases} leases overdue`,
    isMet: left === 0 && overdueLeases === 0,
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
