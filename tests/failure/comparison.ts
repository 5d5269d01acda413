import type { Account, ReportRow } from '../driver/books.js';
import { nanos } from '../driver/books.js';
import type { Book } from './book.js';

/** The limits and shares of the test's catalog. Amounts in nano-units. */
export interface Terms {
  readonly campaigns: ReadonlyMap<string, CampaignTerms>;
  /** Deposits by advertiser. */
  readonly funds: ReadonlyMap<string, bigint>;
  readonly apps: ReadonlyMap<string, { readonly publisherId: string; readonly shareBp: bigint }>;
}

/** One campaign; null: no limit. */
export interface CampaignTerms {
  readonly advertiserId: string;
  readonly costNanos: bigint;
  readonly totalNanos: bigint | null;
  readonly dailyNanos: bigint | null;
}

/** One line of a booking. */
export interface LedgerEntry {
  readonly kind: string;
  readonly transactionId: string;
  readonly accountKind: string;
  readonly accountId: string;
  readonly amountNanos: bigint;
}

/** A stored, accepted, live event. */
export interface StoredEvent {
  readonly type: string;
  readonly requestId: string;
  readonly campaignId: string | null;
  /** UTC day of the fill, since 1970. */
  readonly day: number;
  readonly isSettled: boolean;
}

/** The data of the product after everything is settled. */
export interface LedgerFacts {
  readonly entries: readonly LedgerEntry[];
  readonly events: readonly StoredEvent[];
  readonly accounts: readonly Account[];
  readonly sumNanos: bigint;
  /** Failed checks of `ledger verify`. */
  readonly failedChecks: readonly string[];
  /** Held money of each budget when every ad is over; null: not read. */
  readonly held: readonly HeldMoney[] | null;
  /** The report by campaign, and the row of the report without a split, which has the fallbacks. */
  readonly byCampaign: readonly ReportRow[];
  readonly fallbacks: number;
}

/** Money of a campaign's budget that is neither spent nor free. */
export interface HeldMoney {
  readonly campaignId: string;
  readonly nanos: bigint;
}

/** An exceeded limit, which is always a fault. */
export interface Overspend {
  /** `total cmp_x`, `day cmp_x 20000`, `balance adv_x`. */
  readonly limit: string;
  readonly byNanos: bigint;
}

/** Differences between book and ledger. All are empty or zero when both agree. */
export interface Findings {
  /** Accepted and not settled. */
  readonly lost: readonly string[];
  /** Charged more often than accepted, or never accepted. */
  readonly doubled: readonly string[];
  readonly overspent: readonly Overspend[];
  /** Money that should have been returned. */
  readonly held: readonly HeldMoney[];
  readonly ledgerSumNanos: bigint;
  /** Any other disagreement: accounts, reports, checks, contradictions. */
  readonly unexplained: readonly string[];
  /** Events that never got a final answer. */
  readonly unanswered: readonly string[];
  readonly settled: number;
  /** Number of limits with less than one ad left. Only these could have been exceeded. */
  readonly limitsReached: number;
}

/** Compares the client's book with the ledger, to the nano-unit. */
export function compare(book: Book, terms: Terms, facts: LedgerFacts): Findings {
  const expected = expectedBookings(book, terms);
  const booked = bookingsOf(facts.entries);
  const uses = limitUses(terms, facts);
  const missing = [...expected].filter(([id]) => !booked.has(id)).map(([id]) => `impression ${id}`);
  return {
    lost: [...new Set([...missing, ...unstored(book, facts), ...facts.events.filter(isWaiting).map(nameOf)])],
    doubled: surplus(expected, booked),
    overspent: uses.filter(({ byNanos }) => byNanos > 0n).map(({ limit, byNanos }) => ({ limit, byNanos })),
    held: (facts.held ?? []).filter(({ nanos: amount }) => amount !== 0n),
    ledgerSumNanos: facts.sumNanos === 0n ? sumOf(facts.entries) : facts.sumNanos,
    unexplained: [
      ...wrongBookings(expected, booked),
      ...wrongAccounts(expected, terms, facts),
      ...wrongReports(book, terms, facts),
      ...facts.failedChecks.map((text) => `ledger verify --full: ${text}`),
      ...book.contradictions(),
    ],
    unanswered: book.open().map(({ kind, requestId }) => `${kind} ${requestId}`),
    settled: booked.size,
    limitsReached: uses.filter(({ byNanos, costNanos }) => byNanos > -costNanos).length,
  };
}

/** The entries of one impression by account (`kind/id`). */
type Booking = ReadonlyMap<string, bigint>;

function expectedBookings(book: Book, terms: Terms): Map<string, Booking> {
  const bookings = new Map<string, Booking>();
  for (const id of book.accepted('impression')) {
    const fill = book.fill(id);
    const campaign = terms.campaigns.get(fill?.campaignId ?? '');
    const app = terms.apps.get(fill?.appId ?? '');
    // A test ad has no campaign, so nothing is booked for it.
    if (campaign === undefined || app === undefined) continue;
    const earned = (campaign.costNanos * app.shareBp) / 10_000n;
    const lines: readonly (readonly [string, bigint])[] = [
      [`advertiser/${campaign.advertiserId}`, -campaign.costNanos],
      [`publisher/${app.publisherId}`, earned],
      ['platform/platform', campaign.costNanos - earned],
    ];
    bookings.set(id, new Map(lines));
  }
  return bookings;
}

function bookingsOf(entries: readonly LedgerEntry[]): Map<string, Map<string, bigint>> {
  const bookings = new Map<string, Map<string, bigint>>();
  for (const entry of entries) {
    if (entry.kind !== 'impression') continue;
    const booking = bookings.get(entry.transactionId) ?? new Map<string, bigint>();
    const account = `${entry.accountKind}/${entry.accountId}`;
    booking.set(account, (booking.get(account) ?? 0n) + entry.amountNanos);
    bookings.set(entry.transactionId, booking);
  }
  return bookings;
}

function unstored(book: Book, facts: LedgerFacts): string[] {
  const stored = new Set(facts.events.map(nameOf));
  return (['click', 'reward'] as const).flatMap((kind) =>
    book
      .accepted(kind)
      .filter((id) => book.fill(id)?.campaignId !== 'cmp_test')
      .map((id) => `${kind} ${id}`)
      .filter((name) => !stored.has(name)),
  );
}

function isWaiting(event: StoredEvent): boolean {
  return !event.isSettled;
}

function nameOf(event: StoredEvent): string {
  return `${event.type} ${event.requestId}`;
}

function surplus(expected: ReadonlyMap<string, Booking>, booked: ReadonlyMap<string, Booking>): string[] {
  return [...booked].flatMap(([id, booking]) => {
    const wanted = expected.get(id);
    if (wanted === undefined) return [`impression ${id} is booked and was never accepted`];
    return charged(booking) > charged(wanted) ? [`impression ${id} is charged more than once`] : [];
  });
}

function charged(booking: Booking): bigint {
  let sum = 0n;
  for (const [account, amount] of booking) if (account.startsWith('advertiser/')) sum -= amount;
  return sum;
}

function wrongBookings(
  expected: ReadonlyMap<string, Booking>,
  booked: ReadonlyMap<string, Booking>,
): string[] {
  return [...expected].flatMap(([id, wanted]) => {
    const found = booked.get(id);
    if (found === undefined || isSame(found, wanted)) return [];
    return [`impression ${id} is booked as ${inWords(found)} instead of ${inWords(wanted)}`];
  });
}

function isSame(one: Booking, other: Booking): boolean {
  return one.size === other.size && [...one].every(([account, amount]) => other.get(account) === amount);
}

function inWords(booking: Booking): string {
  return [...booking].map(([account, amount]) => `${account} ${amount.toString()}`).join(', ');
}

function wrongAccounts(
  expected: ReadonlyMap<string, Booking>,
  { funds }: Terms,
  { accounts }: LedgerFacts,
): string[] {
  const wanted = new Map<string, bigint>();
  const add = (account: string, amount: bigint): void => {
    wanted.set(account, (wanted.get(account) ?? 0n) + amount);
  };
  for (const booking of expected.values()) for (const [account, amount] of booking) add(account, amount);
  for (const [id, amount] of funds) {
    add(`advertiser/${id}`, amount);
    add('deposits/deposits', -amount);
  }
  const found = new Map(accounts.map(({ kind, id, balance }) => [`${kind}/${id}`, nanos(balance)]));
  return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((account) => {
    const [has, should] = [found.get(account) ?? 0n, wanted.get(account) ?? 0n];
    return has === should
      ? []
      : [`${account} has ${has.toString()} nano-units, the book ${should.toString()}`];
  });
}

interface LimitUse extends Overspend {
  /** Price of the cheapest ad that the limit could pay. */
  readonly costNanos: bigint;
}

/** The uses of all limits with spend. `byNanos` is the excess; below zero it is the rest. */
function limitUses({ campaigns, funds }: Terms, { events, accounts }: LedgerFacts): LimitUse[] {
  const spent = new Map<string, bigint>();
  const add = (limit: string, amount: bigint): void =>
    void spent.set(limit, (spent.get(limit) ?? 0n) + amount);
  for (const { type, campaignId, day } of events) {
    const campaign = campaigns.get(campaignId ?? '');
    if (type !== 'impression' || campaign === undefined) continue;
    add(`total ${campaignId ?? ''}`, campaign.costNanos);
    add(`day ${campaignId ?? ''} ${day}`, campaign.costNanos);
    add(`balance ${campaign.advertiserId}`, campaign.costNanos);
  }
  // The balance counts what was charged, whatever events are stored.
  for (const { kind, id, balance } of accounts) {
    const charged = (funds.get(id) ?? 0n) - nanos(balance);
    const limit = `balance ${id}`;
    if (kind === 'advertiser' && charged > (spent.get(limit) ?? 0n)) spent.set(limit, charged);
  }
  return [...spent].flatMap(([limit, amount]) => {
    const [what = '', id = ''] = limit.split(' ');
    const most = what === 'balance' ? (funds.get(id) ?? 0n) : limitOf(campaigns.get(id), what);
    if (most === null) return [];
    const costs = [...campaigns].filter(([name, { advertiserId }]) => name === id || advertiserId === id);
    const costNanos = costs.map(([, campaign]) => campaign.costNanos).reduce((a, b) => (a < b ? a : b));
    return [{ limit, byNanos: amount - most, costNanos }];
  });
}

function limitOf(campaign: CampaignTerms | undefined, what: string): bigint | null {
  return (what === 'day' ? campaign?.dailyNanos : campaign?.totalNanos) ?? null;
}

function sumOf(entries: readonly LedgerEntry[]): bigint {
  return entries.reduce((sum, { amountNanos }) => sum + amountNanos, 0n);
}

function wrongReports(book: Book, terms: Terms, { byCampaign, fallbacks }: LedgerFacts): string[] {
  const rows = new Map(byCampaign.map((row) => [row.campaign ?? '', row]));
  const count = (ids: readonly string[], campaignId: string): number =>
    ids.filter((id) => book.fill(id)?.campaignId === campaignId).length;
  const accepted = (kind: 'impression' | 'click'): readonly string[] => book.accepted(kind);
  const completed = book.accepted('reward').filter((id) => book.isCompleted(id));
  const faults = [...terms.campaigns.keys()].flatMap((campaignId) => {
    const row = rows.get(campaignId);
    const wanted: readonly (readonly [string, number, number])[] = [
      ['impressions', row?.impressions ?? 0, count(accepted('impression'), campaignId)],
      ['clicks', row?.clicks ?? 0, count(accepted('click'), campaignId)],
      ['rewards', row?.rewards ?? 0, count(completed, campaignId)],
    ];
    return wanted
      .filter(([, reported, booked]) => reported !== booked)
      .map(([what, reported, booked]) => `report: ${campaignId} has ${reported} ${what}, the book ${booked}`);
  });
  // A fallback has no id, so a repeated one whose first answer was lost may count twice.
  const [least, unsure] = [book.counted('fallbacks accepted'), book.counted('fallbacks unknown')];
  if (fallbacks >= least && fallbacks <= least + unsure) return faults;
  return [...faults, `report: ${fallbacks} fallbacks, the book ${least} to ${least + unsure}`];
}
