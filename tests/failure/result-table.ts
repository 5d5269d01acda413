import type { Book } from './book.js';
import type { Findings } from './comparison.js';
import { toAmount } from './market.js';
import type { RunResult } from './run.js';
import type { FaultRow } from '../reliability/fault-row.js';

const SHOWN_MAX = 20;

/** The decisive figures. The run is good when all are zero. */
export interface Figures {
  readonly lost: number;
  readonly doubled: number;
  /** Nano-units beyond the limits. */
  readonly overspent: bigint;
  /** Held money in nano-units when every ad is over. */
  readonly held: bigint;
  readonly ledgerSum: bigint;
  /** Other disagreements, and events without an answer. */
  readonly other: number;
}

/** Counts the findings. */
export function figuresOf(findings: Findings): Figures {
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, nanos) => total + nanos, 0n);
  return {
    lost: findings.lost.length,
    doubled: findings.doubled.length,
    overspent: sum(findings.overspent.map(({ byNanos }) => byNanos)),
    held: sum(findings.held.map(({ nanos }) => nanos)),
    ledgerSum: findings.ledgerSumNanos,
    other: findings.unexplained.length + findings.unanswered.length,
  };
}

/** The findings as the last columns of a fault's row in docs/reliability.md. */
export function moneyOf({
  lost,
  doubled,
  overspent,
}: Findings): Pick<FaultRow, 'lost' | 'doubled' | 'overspent'> {
  return { lost: lost.length, doubled: doubled.length, overspent: overspent.length };
}

/** True when every figure is zero. */
export function isGood({ lost, doubled, overspent, held, ledgerSum, other }: Figures): boolean {
  return [lost, doubled, other].every((count) => count === 0) && [overspent, held, ledgerSum].every(isZero);
}

function isZero(nanos: bigint): boolean {
  return nanos === 0n;
}

/** The findings as lines, a bounded number of each kind; empty when there are none. */
export function findingLines(findings: Findings): readonly string[] {
  const { lost, doubled, unexplained, unanswered, overspent, held } = findings;
  const bounded = (title: string, lines: readonly string[]): string[] => [
    ...lines.slice(0, SHOWN_MAX).map((line) => `${title}: ${line}`),
    ...(lines.length > SHOWN_MAX ? [`${title}: … and ${lines.length - SHOWN_MAX} more`] : []),
  ];
  const passed = overspent.map(({ limit, byNanos }) => `${limit} by ${toAmount(byNanos)}`);
  const kept = held.map(({ campaignId, nanos }) => `${campaignId} holds ${toAmount(nanos)}`);
  return [
    ...bounded('lost', lost),
    ...bounded('doubled', doubled),
    ...bounded('overspent', passed),
    ...bounded('held', kept),
    ...bounded('unexplained', unexplained),
    ...bounded('unanswered', unanswered),
  ];
}

/** Number of accepted impressions of test ads, which are never settled. */
function acceptedTestAds(book: Book): number {
  return book.accepted('impression').filter((id) => book.fill(id)?.campaignId === 'cmp_test').length;
}

/** The table of a run and its decisive figures. */
export function resultLines({ book, findings, faults }: RunResult): readonly string[] {
  const figures = figuresOf(findings);
  const row = (name: string, value: number): string => `  ${name.padEnd(32)}${String(value).padStart(8)}`;
  const counted = (name: string): string => row(name, book.counted(name));
  return [
    ...[...faults].sort().map(([kind, count]) => row(`faults: ${kind}`, count)),
    ...['requests', 'fills', 'no-fills no_eligible_campaign', 'ad requests without an answer'].map(counted),
    ...['impressions accepted', 'clicks accepted', 'rewards accepted'].map(counted),
    ...['fallbacks accepted', 'duplicates refused', 'impressions unknown', 'deposits'].map(counted),
    counted('changes of a budget'),
    row(
      'accepted without an answer',
      book.accepted('impression').length - book.counted('impressions accepted'),
    ),
    row('accepted, of test ads', acceptedTestAds(book)),
    row('settled', findings.settled),
    row('limits reached', findings.limitsReached),
    ...findingLines(findings),
    ...(figures.other === 0 ? [] : [`other disagreements ${figures.other}`]),
    `lost ${figures.lost}`,
    `doubled ${figures.doubled}`,
    `overspent ${figures.overspent === 0n ? '0' : toAmount(figures.overspent)}`,
    `held ${figures.held === 0n ? '0' : toAmount(figures.held)}`,
    `ledger sum ${figures.ledgerSum === 0n ? '0' : toAmount(figures.ledgerSum)}`,
  ];
}
