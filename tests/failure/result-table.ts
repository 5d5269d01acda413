import type { Book } from './book.js';
import type { Findings } from './comparison.js';
import { toAmount } from './market.js';
import type { RunResult } from './run.js';

const SHOWN_MAX = 20;

/** The figures that decide; the run is good when all are zero. */
export interface Figures {
  readonly lost: number;
  readonly doubled: number;
  /** Nano-units beyond what the design permits. */
  readonly overspent: bigint;
  readonly ledgerSum: bigint;
  /** Other disagreements, and events without an answer. */
  readonly other: number;
}

/** Counts what was found. */
export function figuresOf(findings: Findings): Figures {
  const beyond = findings.overspent.map(({ byNanos, allowedNanos }) => byNanos - allowedNanos);
  return {
    lost: findings.lost.length,
    doubled: findings.doubled.length,
    overspent: beyond.filter((nanos) => nanos > 0n).reduce((sum, nanos) => sum + nanos, 0n),
    ledgerSum: findings.ledgerSumNanos,
    other: findings.unexplained.length + findings.unanswered.length,
  };
}

/** True when every figure is zero. */
export function isGood({ lost, doubled, overspent, ledgerSum, other }: Figures): boolean {
  return lost === 0 && doubled === 0 && overspent === 0n && ledgerSum === 0n && other === 0;
}

/** Everything that was found, a bounded number of each; empty when all is well. */
export function findingLines(findings: Findings): readonly string[] {
  const { lost, doubled, unexplained, unanswered, overspent } = findings;
  const bounded = (title: string, lines: readonly string[]): string[] => [
    ...lines.slice(0, SHOWN_MAX).map((line) => `${title}: ${line}`),
    ...(lines.length > SHOWN_MAX ? [`${title}: … and ${lines.length - SHOWN_MAX} more`] : []),
  ];
  const passed = overspent.map(
    ({ limit, byNanos, allowedNanos }) =>
      `${limit} by ${toAmount(byNanos)}, permitted after the double loss: ${toAmount(allowedNanos)}`,
  );
  return [
    ...bounded('lost', lost),
    ...bounded('doubled', doubled),
    ...bounded('overspent', passed),
    ...bounded('unexplained', unexplained),
    ...bounded('unanswered', unanswered),
  ];
}

/** What was filled in the moment of a double loss: an upper bound of each overspend, printed even when none came. */
function permittedLines(allowances: ReadonlyMap<string, bigint>): readonly string[] {
  return [...allowances]
    .filter(([limit]) => limit.startsWith('balance '))
    .map(([limit, nanos]) => `permitted by the double loss: ${limit} up to ${toAmount(nanos)}`);
}

/** Impressions of test ads are accepted like others and never settled. */
function acceptedTestAds(book: Book): number {
  return book.accepted('impression').filter((id) => book.fill(id)?.campaignId === 'cmp_test').length;
}

/** The table of a run and the lines that decide. */
export function resultLines({ book, findings, faults, allowances }: RunResult): readonly string[] {
  const figures = figuresOf(findings);
  const row = (name: string, value: number): string => `  ${name.padEnd(32)}${String(value).padStart(8)}`;
  const counted = (name: string): string => row(name, book.counted(name));
  return [
    ...[...faults].sort().map(([kind, count]) => row(`faults: ${kind}`, count)),
    ...['requests', 'fills', 'impressions accepted', 'clicks accepted', 'rewards accepted'].map(counted),
    ...['fallbacks accepted', 'duplicates refused', 'impressions unknown', 'deposits'].map(counted),
    row(
      'accepted without an answer',
      book.accepted('impression').length - book.counted('impressions accepted'),
    ),
    row('accepted, of test ads', acceptedTestAds(book)),
    row('settled', findings.settled),
    ...permittedLines(allowances),
    ...findingLines(findings),
    ...(figures.other === 0 ? [] : [`other disagreements ${figures.other}`]),
    `lost ${figures.lost}`,
    `doubled ${figures.doubled}`,
    `overspent ${figures.overspent === 0n ? '0' : toAmount(figures.overspent)}`,
    `ledger sum ${figures.ledgerSum === 0n ? '0' : toAmount(figures.ledgerSum)}`,
  ];
}
