import {
  AccountKind,
  LedgerServiceService,
  ReportServiceService,
  SpendServiceService,
  StoryServiceService,
  type GetReportRequest,
  type GetStatementRequest,
  type GetStatementResponse,
  type GetStoryResponse,
  type GetSuspiciousReportRequest,
  type AccountBalance,
  type CloseMonthRequest,
  type ListStatementsRequest,
  type MonthStatement,
  type RecordAdjustmentRequest,
  type RecordTransferRequest,
  type ReportRow,
  type VerifyLedgerRequest,
  type VerifyLedgerRowsResponse,
  type WaitingEvents,
} from '@placard/protos/events/v1/events.js';
import type {
  CountSuspiciousEventsRequest,
  CountSuspiciousEventsResponse,
} from '@placard/protos/fraud/v1/fraud.js';
import {
  RewardServiceService,
  type AcceptedReward,
  type ConfirmRewardsRequest,
  type TakeRewardsRequest,
} from '@placard/protos/events/v1/rewards.js';
import {
  DeliveryServiceService,
  type AuctionDay,
  type CampaignSpend,
  type ListCampaignSpendRequest,
} from '@placard/protos/events/v1/delivery.js';
import { appError, type Scope } from '@placard/service-kit';
import { openGrpcServer } from '@placard/service-kit/grpc';
import { explainServices, makeFakeExplain, type FakeExplain } from './fake-explain.js';

/** A stand-in for events-service, and for what serving-service explains. It books deposits by the contract and gives the answers that a test has set. */
export interface FakeEvents {
  readonly address: string;
  /** Serves LedgerService with its writing methods. */
  readonly writeAddress: string;
  /** Booked deposits by reference. */
  readonly booked: Map<string, { readonly advertiserId: string; readonly amountNanos: bigint }>;
  /** Booked adjustments by reference. */
  readonly adjusted: Map<string, RecordAdjustmentRequest>;
  /** Booked payouts and refunds by kind of account and reference. */
  readonly transferred: Map<string, RecordTransferRequest>;
  /** References in the order in which they were booked. */
  readonly journal: string[];
  /** Why the next transfers are not taken; null: they are. */
  transferRefusal: string | null;
  /** Requests to close a month. */
  readonly closes: CloseMonthRequest[];
  /** The statements of each closed month; null: it is open. */
  monthStatements: MonthStatement[] | null;
  /** Those of operators. The repeated comparison of the funds is not among them. */
  readonly verifications: Pick<VerifyLedgerRequest, 'wait' | 'funds' | 'publishers'>[];
  /** Transfers of the last verification. */
  verifiedTransfers: VerifyLedgerRequest['transfers'];
  /** The backlog that a verification reports; null: empty. */
  waiting: WaitingEvents | null;
  readonly statements: GetStatementRequest[];
  /** The requested pieces, and the answers in their order. A code stands for a failure. */
  readonly piecesAsked: string[];
  pieces: (VerifyLedgerRowsResponse | 'unavailable')[];
  statement: GetStatementResponse;
  /** Accounts in the balances beside those that bookings made. */
  otherAccounts: AccountBalance[];
  /** Empty: sums are sent as 64 bits only, like earlier releases did. */
  hugeSum: string;
  readonly reports: GetReportRequest[];
  /** While false every call answers `unavailable`. */
  isUp: boolean;
  rows: ReportRow[];
  readonly suspiciousQueries: CountSuspiciousEventsRequest[];
  suspicious: CountSuspiciousEventsResponse;
  /** The history of auctions that a forecast rests on. */
  auctions: AuctionDay[];
  /** Accepted rewards that are not confirmed. */
  readonly rewards: Map<string, AcceptedReward>;
  /** What campaigns have spent. */
  spend: CampaignSpend[];
  readonly explain: FakeExplain;
}

/** The instant of all reports. */
export const AS_OF_MS = Date.UTC(2026, 10, 10, 12);

/** Opens the stand-in. */
export async function openFakeEvents(scope: Scope): Promise<FakeEvents> {
  const fake: FakeEvents = {
    address: '',
    writeAddress: '',
    booked: new Map(),
    adjusted: new Map(),
    transferred: new Map(),
    journal: [],
    transferRefusal: null,
    closes: [],
    monthStatements: null,
    verifications: [],
    verifiedTransfers: undefined,
    waiting: null,
    statements: [],
    piecesAsked: [],
    pieces: [],
    hugeSum: '',
    otherAccounts: [],
    statement: {
      asOfMs: BigInt(AS_OF_MS),
      opening: '0.000000000',
      lines: [],
      closing: '0.000000000',
    },
    reports: [],
    isUp: true,
    rows: [],
    suspicious: { rows: [], rowsLeftOut: 0n },
    suspiciousQueries: [],
    auctions: [],
    rewards: new Map(),
    spend: [],
    explain: makeFakeExplain(),
  };
  const orDown = (): void => {
    if (!fake.isUp) throw appError('unavailable', 'events-service cannot be reached.');
  };
  const { port, writePort } = await openGrpcServer(scope, {
    host: '127.0.0.1',
    port: 0,
    writePort: 0,
    services: [
      ...explainServices(fake.explain, AS_OF_MS),
      { definition: LedgerServiceService, handlers: ledgerHandlers(fake, orDown) },
      { definition: ReportServiceService, handlers: reportHandlers(fake, orDown) },
      { definition: RewardServiceService, handlers: rewardHandlers(fake, orDown) },
      {
        definition: DeliveryServiceService,
        handlers: {
          listCampaignSpend: (asked: ListCampaignSpendRequest) =>
            Promise.resolve({ campaigns: spendPage(fake.spend, asked) }),
          listPlacementTraffic: () => Promise.resolve({ placements: [] }),
          getAuctionHistory: () => Promise.resolve({ days: fake.auctions }),
        },
      },
      { definition: StoryServiceService, handlers: { getStory: () => Promise.resolve(NO_STORY) } },
      {
        definition: SpendServiceService,
        handlers: { getTrafficCurves: () => Promise.resolve({ curves: [] }) },
      },
    ],
  });
  return Object.assign(fake, { address: `127.0.0.1:${port}`, writeAddress: `127.0.0.1:${writePort}` });
}

/** Few, so that readers need several pages. */
const SPEND_PAGE_ROWS = 2;

function spendPage(
  rows: readonly CampaignSpend[],
  { campaignId, afterAdvertiserId, afterCampaignId }: ListCampaignSpendRequest,
): CampaignSpend[] {
  const isBehind = (row: CampaignSpend): boolean =>
    row.advertiserId === afterAdvertiserId
      ? row.campaignId > afterCampaignId
      : row.advertiserId > afterAdvertiserId;
  const isAsked = (row: CampaignSpend): boolean => [row.campaignId, ''].includes(campaignId);
  return rows.filter((row) => isAsked(row) && isBehind(row)).slice(0, SPEND_PAGE_ROWS);
}

/** An ad without a stored event. */
const NO_STORY: GetStoryResponse = {
  events: [],
  booking: undefined,
  lease: undefined,
  refused: [],
  isRefusedUnknown: false,
  isDropped: false,
};

/** Figures without counts, of a split that has no fallbacks, rejections and errors. */
const EMPTY_ROW: ReportRow = {
  keys: [],
  requests: 0n,
  fills: 0n,
  hasNoFills: true,
  noFills: {},
  impressions: 0n,
  clicks: 0n,
  rewards: 0n,
  fallbacks: undefined,
  fallbacksByReason: {},
  hasRejected: false,
  rejected: {},
  spendNanos: 0n,
  revenueNanos: 0n,
  hasNoEvents: false,
  hasErrors: false,
  errors: {},
};

function reportHandlers(fake: FakeEvents, orDown: () => void) {
  return {
    getSuspiciousReport: ({ query }: GetSuspiciousReportRequest) => {
      orDown();
      if (query !== undefined) fake.suspiciousQueries.push(query);
      return Promise.resolve({ report: fake.suspicious });
    },
    reportErrors: () => Promise.resolve({}),
    getReport: (request: GetReportRequest) => {
      orDown();
      fake.reports.push(request);
      return Promise.resolve({ asOfMs: BigInt(AS_OF_MS), rows: fake.rows, empty: EMPTY_ROW });
    },
  };
}

function rewardHandlers({ rewards }: FakeEvents, orDown: () => void) {
  return {
    takeRewards: ({ countMax }: TakeRewardsRequest) => {
      orDown();
      return Promise.resolve({ rewards: [...rewards.values()].slice(0, countMax) });
    },
    confirmRewards: ({ requestIds }: ConfirmRewardsRequest) => {
      orDown();
      for (const id of requestIds) rewards.delete(id);
      return Promise.resolve({});
    },
  };
}

function ledgerHandlers(fake: FakeEvents, orDown: () => void) {
  return {
    recordDeposit: ({
      advertiserId,
      amountNanos,
      reference,
    }: {
      advertiserId: string;
      amountNanos: bigint;
      reference: string;
    }) => {
      orDown();
      const before = fake.booked.get(reference);
      if (before !== undefined && before.amountNanos !== amountNanos)
        throw appError('conflict', 'The reference is booked with other values.');
      fake.booked.set(reference, { advertiserId, amountNanos });
      fake.journal.push(reference);
      return Promise.resolve({ isNew: before === undefined });
    },
    recordAdjustment: (request: RecordAdjustmentRequest) => {
      orDown();
      const isNew = !fake.adjusted.has(request.reference);
      fake.adjusted.set(request.reference, request);
      fake.journal.push(request.reference);
      return Promise.resolve({ isNew });
    },
    ...payoutHandlers(fake, orDown),
    getStatement: (request: GetStatementRequest) => {
      orDown();
      fake.statements.push(request);
      return Promise.resolve(fake.statement);
    },
    verifyLedgerRows: ({ after }: { readonly after: string }) => {
      orDown();
      fake.piecesAsked.push(after);
      const piece = fake.pieces.shift() ?? { checks: [], next: '', day: '', daysLeft: 0 };
      if (piece === 'unavailable') throw appError('unavailable', 'The connection has ended.');
      return Promise.resolve(piece);
    },
    listBalances: (request: { advertiserIds: readonly string[]; publisherIds: readonly string[] }) => {
      orDown();
      return Promise.resolve(balances(fake, request));
    },
    verifyLedger: (request: VerifyLedgerRequest) => {
      orDown();
      const { wait, funds, publishers } = request;
      fake.verifiedTransfers = request.transfers;
      if (!request.fundsOnly) fake.verifications.push({ wait, funds, publishers });
      const booked = bookedNanos(fake);
      const claimed =
        request.funds.reduce((sum, funds) => sum + funds.fundedNanos, 0n) +
        request.publishers.reduce((sum, funds) => sum + funds.adjustedNanos, 0n);
      const ok = booked === claimed;
      return Promise.resolve({
        ok,
        checks: [{ name: 'deposits', ok, detail: `${booked} and ${claimed}` }],
        waiting: fake.waiting ?? undefined,
      });
    },
  };
}

/** Payouts, refunds and closed months. */
function payoutHandlers(fake: FakeEvents, orDown: () => void) {
  return {
    recordTransfer: (request: RecordTransferRequest) => {
      orDown();
      const key = `${request.kind} ${request.reference}`;
      const before = fake.transferred.get(key);
      if (before === undefined && fake.transferRefusal !== null)
        throw appError('failed_precondition', fake.transferRefusal);
      if (before !== undefined && before.amountNanos !== request.amountNanos)
        throw appError('conflict', 'The reference is booked with other values.');
      fake.transferred.set(key, request);
      fake.journal.push(request.reference);
      return Promise.resolve({ isNew: before === undefined });
    },
    closeMonth: (request: CloseMonthRequest) => {
      orDown();
      fake.closes.push(request);
      const isNew = fake.monthStatements === null;
      fake.monthStatements ??= [];
      return Promise.resolve({ isNew, month: closedMonth(request) });
    },
    listStatements: (request: ListStatementsRequest) => {
      orDown();
      if (fake.monthStatements === null) throw appError('not_found', 'The month is open.');
      const statements = fake.monthStatements
        .filter(({ number, open }) => number > request.afterNumber && (!request.dueOnly || open !== ''))
        .slice(0, request.rowsMax);
      return Promise.resolve({ month: closedMonth(request), statements });
    },
  };
}

function closedMonth({ firstDay }: Pick<CloseMonthRequest, 'firstDay'>) {
  const numbers = { firstNumber: 0n, lastNumber: 0n };
  return { firstDay, closedAtMs: BigInt(AS_OF_MS), minimumPayoutNanos: 0n, ...numbers };
}

function bookedNanos({ booked, adjusted }: FakeEvents): bigint {
  return [...booked.values(), ...adjusted.values()].reduce((sum, { amountNanos }) => sum + amountNanos, 0n);
}

function balances(
  fake: FakeEvents,
  { advertiserIds, publisherIds }: { advertiserIds: readonly string[]; publisherIds: readonly string[] },
) {
  const deposits = [...fake.booked.values()];
  const adjustedBy = (kind: AccountKind, id: string) =>
    [...fake.adjusted.values()]
      .filter((adjustment) => adjustment.kind === kind && adjustment.accountId === id)
      .reduce((sum, { amountNanos }) => sum + amountNanos, 0n);
  const paidIn = (id: string) =>
    deposits
      .filter(({ advertiserId }) => advertiserId === id)
      .reduce((sum, { amountNanos }) => sum + amountNanos, adjustedBy(AccountKind.ADVERTISER, id));
  const total = deposits.reduce((sum, { amountNanos }) => sum + amountNanos, 0n);
  // A release without decimal balances leaves it empty.
  const balance = '';
  return {
    accounts: [
      { kind: AccountKind.DEPOSITS, id: 'deposits', balanceNanos: -total, balance },
      { kind: AccountKind.PLATFORM, id: 'platform', balanceNanos: 0n, balance },
      ...publisherIds.map((id) => ({
        kind: AccountKind.PUBLISHER,
        id,
        balanceNanos: adjustedBy(AccountKind.PUBLISHER, id),
        balance,
      })),
      ...advertiserIds.map((id) => ({ kind: AccountKind.ADVERTISER, id, balanceNanos: paidIn(id), balance })),
      ...fake.otherAccounts,
    ],
    sumNanos: 0n,
    sum: fake.hugeSum,
  };
}
