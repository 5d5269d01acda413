import {
  AccountKind,
  LedgerServiceService,
  ReportServiceService,
  type GetReportRequest,
  type GetStatementRequest,
  type GetStatementResponse,
  type RecordAdjustmentRequest,
  type ReportRow,
  type VerifyLedgerRequest,
  type VerifyLedgerRowsResponse,
  type WaitingEvents,
} from '@placard/protos/events/v1/events.js';
import { appError, type Scope } from '@placard/service-kit';
import { openGrpcServer } from '@placard/service-kit/grpc';

/** A stand-in for events-service. It books deposits by the contract and gives the answers that a test has set. */
export interface FakeEvents {
  readonly address: string;
  /** Booked deposits by reference. */
  readonly booked: Map<string, { readonly advertiserId: string; readonly amountNanos: bigint }>;
  /** Booked adjustments by reference. */
  readonly adjusted: Map<string, RecordAdjustmentRequest>;
  readonly verifications: Pick<VerifyLedgerRequest, 'wait' | 'funds' | 'publishers'>[];
  /** The backlog that a verification reports; null: empty. */
  waiting: WaitingEvents | null;
  readonly statements: GetStatementRequest[];
  /** The requested pieces, and the answers in their order. A code stands for a failure. */
  readonly piecesAsked: string[];
  pieces: (VerifyLedgerRowsResponse | 'unavailable')[];
  statement: GetStatementResponse;
  /** Empty: sums are sent as 64 bits only, like earlier releases did. */
  hugeSum: string;
  readonly reports: GetReportRequest[];
  /** While false every call answers `unavailable`. */
  isUp: boolean;
  rows: ReportRow[];
}

/** The instant of all reports. */
export const AS_OF_MS = Date.UTC(2026, 10, 10, 12);

/** Opens the stand-in. */
export async function openFakeEvents(scope: Scope): Promise<FakeEvents> {
  const fake: FakeEvents = {
    address: '',
    booked: new Map(),
    adjusted: new Map(),
    verifications: [],
    waiting: null,
    statements: [],
    piecesAsked: [],
    pieces: [],
    hugeSum: '',
    statement: {
      asOfMs: BigInt(AS_OF_MS),
      opening: '0.000000000',
      lines: [],
      closing: '0.000000000',
    },
    reports: [],
    isUp: true,
    rows: [],
  };
  const orDown = (): void => {
    if (!fake.isUp) throw appError('unavailable', 'events-service cannot be reached.');
  };
  const { port } = await openGrpcServer(scope, {
    host: '127.0.0.1',
    port: 0,
    services: [
      { definition: LedgerServiceService, handlers: ledgerHandlers(fake, orDown) },
      {
        definition: ReportServiceService,
        handlers: {
          getReport: (request: GetReportRequest) => {
            orDown();
            fake.reports.push(request);
            return Promise.resolve({ asOfMs: BigInt(AS_OF_MS), rows: fake.rows });
          },
        },
      },
    ],
  });
  return Object.assign(fake, { address: `127.0.0.1:${port}` });
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
      return Promise.resolve({ isNew: before === undefined });
    },
    recordAdjustment: (request: RecordAdjustmentRequest) => {
      orDown();
      const isNew = !fake.adjusted.has(request.reference);
      fake.adjusted.set(request.reference, request);
      return Promise.resolve({ isNew });
    },
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
      fake.verifications.push({ wait, funds, publishers });
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
    ],
    sumNanos: 0n,
    sum: fake.hugeSum,
  };
}
