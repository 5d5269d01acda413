import {
  LeaseVerdict,
  type ExchangeLeasesRequest,
  type ExchangeLeasesResponse,
  type LeaseAnswer,
  type LeaseReport,
  type LeaseWant,
} from '@placard/protos/events/v1/events.js';
import { MINUTE_MS, minuteOf } from '@placard/service-kit/pure';
import type { TestClock } from '@placard/service-kit/testing';
import { expect } from 'chai';

/** Price of one ad. */
export const COST = 1_000_000n;
/** How long an ad can be shown. */
export const AD_TTL_MS = 30 * MINUTE_MS;
/** Where the clock of each test begins, epoch ms: the begin of a minute. */
export const START_MS = Date.UTC(2026, 4, 1, 12);
/** Money of ads that nobody saw is free again so long after the last of them is over. */
const GRACE_MS = MINUTE_MS;

/** Names a lease, and whose money it is. */
export interface LeaseName {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly minute: number;
  readonly run: string;
}

/** One implementation of SpendService.ExchangeLeases on empty books, and what else changes leases. */
export interface LeaseBooks {
  /** Every time is read from it; it stands at {@link START_MS}. */
  readonly clock: TestClock;
  exchange(request: ExchangeLeasesRequest): Promise<ExchangeLeasesResponse>;
  /** An impression that is paid from the lease is judged. */
  judge(lease: LeaseName, costNanos: bigint, verdict: 'accepted' | 'suspicious'): Promise<void>;
  /** Gives the price of the lease's suspicious impressions back. */
  release(lease: LeaseName): Promise<void>;
  /** Closes the leases that are due. */
  closeDue(): Promise<void>;
  /** Throws when the books do not add up. */
  close(): Promise<void>;
}

/** A want of ten ads without a limit, of the minute at that time. */
export function aWant(nowMs: number, changes: Partial<LeaseWant> = {}): LeaseWant {
  const minute = BigInt(minuteOf(nowMs));
  return {
    advertiserId: 'adv_northwind',
    campaignId: 'cmp_spring',
    minute,
    costNanos: COST,
    grantedMaxNanos: 10n * COST,
    totalLimitNanos: undefined,
    dailyLimitNanos: undefined,
    fundedNanos: 1_000_000n * COST,
    expiresAtMs: (minute + 1n) * BigInt(MINUTE_MS) + BigInt(AD_TTL_MS),
    pace: undefined,
    ...changes,
  };
}

/** What one replica asks of books, which `books` answers anew for each test. */
export function makeDesk(books: () => LeaseBooks) {
  const clock = (): TestClock => books().clock;
  const wanted = (changes: Partial<LeaseWant> = {}): LeaseWant => aWant(clock().now(), changes);
  const exchange = (parts: Partial<ExchangeLeasesRequest>): Promise<ExchangeLeasesResponse> =>
    books().exchange({
      run: 'run-1',
      atMs: BigInt(clock().now()),
      reports: [],
      wants: [],
      peeks: [],
      ...parts,
    });
  const want = async (changes: Partial<LeaseWant> = {}, run = 'run-1'): Promise<LeaseAnswer> =>
    (await exchange({ run, wants: [wanted(changes)] })).wants[0]!;
  const peek = async (changes: Partial<LeaseWant> = {}): Promise<LeaseVerdict> =>
    (await exchange({ peeks: [wanted(changes)] })).peeks[0]!.verdict;
  const report = (changes: Partial<LeaseReport> = {}): LeaseReport => ({
    campaignId: 'cmp_spring',
    minute: BigInt(minuteOf(clock().now())),
    filledNanos: 0n,
    returnedNanos: 0n,
    ended: false,
    ...changes,
  });
  const lease = (): LeaseName => ({
    advertiserId: 'adv_northwind',
    campaignId: 'cmp_spring',
    minute: minuteOf(clock().now()),
    run: 'run-1',
  });
  /** So much of the advertiser's balance cannot be granted, and no nano-unit more. */
  const expectHeld = async (nanos: bigint): Promise<void> => {
    expect(await peek({ fundedNanos: nanos + COST })).to.equal(LeaseVerdict.GRANTED);
    expect(await peek({ fundedNanos: nanos + COST - 1n })).to.equal(LeaseVerdict.BALANCE);
  };
  /** Until the leases of this minute are due, and not a millisecond more. */
  const toTheEnd = (): void => {
    const leftMs = MINUTE_MS - (clock().now() % MINUTE_MS);
    clock().advance(leftMs + AD_TTL_MS + GRACE_MS);
  };
  const closeAll = async (): Promise<void> => {
    toTheEnd();
    clock().advance(1);
    await books().closeDue();
  };
  return { wanted, exchange, want, peek, report, lease, expectHeld, toTheEnd, closeAll };
}
