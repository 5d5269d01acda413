import { loadText } from '@placard/service-kit/files';
import type { PoolClient } from '@placard/service-kit/postgres';
import { dayToIso } from '@placard/service-kit/pure';
import {
  grant,
  freeOf,
  judgeWant,
  leaseDay,
  openPart,
  withReport,
  type Lease,
  type LeaseWant,
  type PaceFigures,
  type WantJudgement,
  type WantState,
} from '../domain/lease.js';
import {
  campaignKey,
  dayKey,
  keyColumns,
  leaseKey,
  moveBudgetSums,
  type BudgetDay,
  type BudgetSums,
  type SumsMove,
} from './budget-books.pg.js';
import type { LeaseAnswer, LeaseExchange } from './leases.js';

const writeLeases = loadText(import.meta.url, './write-leases.sql');
const setAnchors = loadText(import.meta.url, './set-pace-anchors.sql');

/** An exchange, and the clock of this service at its beginning, epoch ms. */
export interface Exchange extends LeaseExchange {
  readonly nowMs: number;
}

/** The campaign's day of the fills that a want is for. */
export function dayOfWant(want: LeaseWant): BudgetDay {
  return { advertiserId: want.advertiserId, campaignId: want.campaignId, day: leaseDay(want) };
}

/** The key of a campaign's pace figures of a minute. */
export function figuresKey(want: Pick<LeaseWant, 'advertiserId' | 'campaignId' | 'minute'>): string {
  return `${campaignKey(want)}/${want.minute}`;
}

/** What an exchange is judged by, as it was read under locks. `figures` by {@link figuresKey}. */
export interface LockedRows {
  readonly sums: BudgetSums;
  readonly leases: Map<string, Lease>;
  readonly figures: ReadonlyMap<string, PaceFigures>;
}

/** One exchange on locked rows. Changes are collected and written at the end. */
export class ExchangeBook {
  readonly #exchange: Exchange;
  readonly #sums: BudgetSums;
  readonly #leases: Map<string, Lease>;
  readonly #figures: ReadonlyMap<string, PaceFigures>;
  /** Minutes that have figures: some three at most, since wants are for a minute near the clock. */
  readonly #pacedMinutes: ReadonlySet<number>;
  readonly #expiries = new Map<string, number>();
  readonly #changed = new Set<string>();
  readonly #anchored = new Map<string, BudgetDay>();
  readonly #moves: SumsMove[] = [];

  constructor(exchange: Exchange, { sums, leases, figures }: LockedRows) {
    this.#exchange = exchange;
    this.#sums = sums;
    this.#leases = leases;
    this.#figures = figures;
    const paced = exchange.wants.filter(({ pace }) => pace !== null);
    this.#pacedMinutes = new Set(paced.map(({ minute }) => minute));
  }

  /** Applies the reports. Returned money is headroom for the wants of the same exchange. */
  takeReports(): void {
    const { run, reports } = this.#exchange;
    for (const report of reports) {
      const key = leaseKey({ ...report, run });
      const before = this.#leases.get(key);
      if (before === undefined) continue;
      const after = withReport(before, report);
      this.#leases.set(key, after);
      this.#changed.add(key);
      this.#move(after, openPart(after) - openPart(before));
    }
  }

  /** Judges the wants in their order, each after the grants before it. */
  judge(replicas: number): readonly LeaseAnswer[] {
    return this.#exchange.wants.map((want) => {
      const state = stateOf(want, this.#sums, {
        figures: this.#figures,
        replicas,
        exchange: this.#exchange,
        lease: this.#leases.get(this.#keyOf(want)) ?? null,
      });
      if (state === null) throw new Error(`the sums of campaign ${want.campaignId} are missing`);
      const judgement = judgeWant(want, state);
      this.#noteAnchor(want, judgement);
      if (judgement.amountNanos > 0n) this.#grant(want, state, judgement.amountNanos);
      const granted = this.#leases.get(this.#keyOf(want))?.grantedNanos ?? 0n;
      return toAnswer(want, judgement, { granted, sums: this.#sums });
    });
  }

  /** Writes the changes. The caller holds the locks. */
  async write(client: PoolClient): Promise<void> {
    const leases = [...this.#changed].flatMap((key) => this.#leases.get(key) ?? []);
    if (leases.length > 0) {
      const { rowCount } = await client.query({
        name: 'write-leases',
        text: writeLeases,
        values: [
          ...keyColumns(leases),
          leases.map((lease) => lease.advertiserId),
          leases.map((lease) => lease.grantedNanos),
          leases.map((lease) => lease.returnedNanos),
          leases.map((lease) => lease.filledNanos),
          leases.map((lease) => lease.isEnded),
          leases.map((lease) => this.#expiries.get(leaseKey(lease)) ?? 0),
        ],
      });
      // The run asked twice at the same time: before and after the campaign's id went to another advertiser.
      if (rowCount !== leases.length) throw new Error('a lease belongs to another advertiser by now');
    }
    await moveBudgetSums(client, this.#moves);
    await this.#writeAnchors(client);
  }

  #keyOf({ campaignId, minute }: LeaseWant): string {
    return leaseKey({ campaignId, minute, run: this.#exchange.run });
  }

  #grant(want: LeaseWant, state: WantState, amountNanos: bigint): void {
    const key = this.#keyOf(want);
    const before = this.#leases.get(key);
    const lease = before ?? newLease(want, this.#exchange.run);
    const after = { ...lease, grantedNanos: lease.grantedNanos + amountNanos };
    if (before === undefined) this.#expiries.set(key, want.expiresAtMs);
    this.#leases.set(key, after);
    this.#changed.add(key);
    grant(state, amountNanos);
    this.#addToFigures(lease, amountNanos, state.pace);
    this.#moves.push({ ...dayOfWant(want), openNanos: amountNanos, closedNanos: 0n });
  }

  /** Adds to the open sums of a lease, in memory and in the pending writes. */
  #move(lease: Lease, openNanos: bigint): void {
    if (openNanos === 0n) return;
    const day = { advertiserId: lease.advertiserId, campaignId: lease.campaignId, day: leaseDay(lease) };
    const sums = [
      this.#sums.advertisers.get(day.advertiserId),
      this.#sums.campaigns.get(campaignKey(day)),
      this.#sums.days.get(dayKey(day)),
    ];
    for (const sum of sums) if (sum !== undefined) sum.openNanos += openNanos;
    this.#addToFigures(lease, openNanos, null);
    this.#moves.push({ ...day, openNanos, closedNanos: 0n });
  }

  /** Adds to what is open in the figures of the lease's campaign; `noted` has it already. */
  #addToFigures(lease: Lease, openNanos: bigint, noted: PaceFigures | null): void {
    const { advertiserId, campaignId } = lease;
    for (const minute of this.#pacedMinutes) {
      if (lease.minute < minute - 1 || leaseDay(lease) !== leaseDay({ minute })) continue;
      const figures = this.#figures.get(figuresKey({ advertiserId, campaignId, minute }));
      if (figures === undefined || figures === noted) continue;
      figures.freshNanos += openNanos;
      if (lease.minute === minute) figures.minuteNanos += openNanos;
    }
  }

  #noteAnchor(want: LeaseWant, { anchor }: WantJudgement): void {
    const day = dayOfWant(want);
    const stored = this.#sums.days.get(dayKey(day));
    if (anchor === null || stored === undefined || stored.anchor === anchor) return;
    stored.anchor = anchor;
    this.#anchored.set(dayKey(day), day);
  }

  async #writeAnchors(client: PoolClient): Promise<void> {
    const anchors = [...this.#anchored].flatMap(([key, day]) => {
      const anchor = this.#sums.days.get(key)?.anchor;
      return anchor ? [{ ...day, ...anchor }] : [];
    });
    if (anchors.length === 0) return;
    await client.query({
      name: 'set-pace-anchors',
      text: setAnchors,
      values: [
        anchors.map((anchor) => anchor.advertiserId),
        anchors.map((anchor) => anchor.campaignId),
        anchors.map((anchor) => dayToIso(anchor.day)),
        anchors.map((anchor) => anchor.atMs),
        anchors.map((anchor) => anchor.spentNanos),
        anchors.map((anchor) => anchor.budgetNanos),
      ],
    });
  }
}

/** The parts of a want's state besides the sums. */
interface StateParts {
  readonly figures: ReadonlyMap<string, PaceFigures>;
  readonly replicas: number;
  readonly exchange: Exchange;
  readonly lease: Lease | null;
}

/** The state in which a want is judged; null: its sums are missing. */
export function stateOf(want: LeaseWant, sums: BudgetSums, parts: StateParts): WantState | null {
  const day = dayOfWant(want);
  const total = sums.campaigns.get(campaignKey(day));
  const ofDay = sums.days.get(dayKey(day));
  const balance = sums.advertisers.get(day.advertiserId);
  if (total === undefined || ofDay === undefined || balance === undefined) return null;
  return {
    total,
    day: ofDay,
    balance,
    lease: parts.lease,
    pace: parts.figures.get(figuresKey(want)) ?? null,
    anchor: ofDay.anchor,
    replicas: parts.replicas,
    nowMs: parts.exchange.nowMs,
    atMs: parts.exchange.atMs,
  };
}

function newLease(want: LeaseWant, run: string): Lease {
  return {
    campaignId: want.campaignId,
    minute: want.minute,
    run,
    advertiserId: want.advertiserId,
    grantedNanos: 0n,
    returnedNanos: 0n,
    filledNanos: 0n,
    acceptedNanos: 0n,
    suspiciousNanos: 0n,
    lateNanos: 0n,
    releasedNanos: 0n,
    isEnded: false,
    isClosed: false,
  };
}

/** The answer to a want or, with `granted` 0, to a peek. */
export function toAnswer(
  want: LeaseWant,
  { verdict, isScarce, anchor }: WantJudgement,
  { granted, sums }: { readonly granted: bigint; readonly sums: BudgetSums },
): LeaseAnswer {
  const isPaced = want.pace !== null;
  const total = sums.campaigns.get(campaignKey(want));
  const day = sums.days.get(dayKey(dayOfWant(want)));
  return {
    verdict,
    grantedNanos: granted,
    isScarce,
    anchor: isPaced ? (anchor ?? day?.anchor ?? null) : null,
    closedFills: isPaced ? (total?.closedFills ?? null) : null,
    totalLeftNanos: total === undefined ? null : freeOf(want.totalLimitNanos, total),
    dailyLeftNanos: day === undefined ? null : freeOf(want.dailyLimitNanos, day),
  };
}
