import {
  AccountKind,
  LedgerServiceService,
  ReportServiceService,
  type GetReportRequest,
  type ReportRow,
  type VerifyLedgerRequest,
} from '@placard/protos/events/v1/events.js';
import { appError, openGrpcServer, type Scope } from '@placard/service-kit';

/** A stand-in for events-service: books deposits as the contract says, and answers what a test has put into it. */
export interface FakeEvents {
  readonly address: string;
  /** Reference → advertiser and amount. */
  readonly booked: Map<string, { readonly advertiserId: string; readonly amountNanos: bigint }>;
  readonly verifications: VerifyLedgerRequest[];
  readonly reports: GetReportRequest[];
  /** While false every call answers `unavailable`. */
  isUp: boolean;
  rows: ReportRow[];
}

/** The instant that reports are made as of. */
export const AS_OF_MS = Date.UTC(2026, 10, 10, 12);

/** Opens the stand-in. */
export async function openFakeEvents(scope: Scope): Promise<FakeEvents> {
  const fake: FakeEvents = {
    address: '',
    booked: new Map(),
    verifications: [],
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
      {
        definition: LedgerServiceService,
        handlers: {
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
              throw appError('conflict', 'Booked otherwise.');
            fake.booked.set(reference, { advertiserId, amountNanos });
            return Promise.resolve({ isNew: before === undefined });
          },
          listBalances: (request: { advertiserIds: readonly string[]; publisherIds: readonly string[] }) => {
            orDown();
            return Promise.resolve(balances(fake, request));
          },
          verifyLedger: (request: VerifyLedgerRequest) => {
            orDown();
            fake.verifications.push(request);
            const booked = [...fake.booked.values()].reduce((sum, deposit) => sum + deposit.amountNanos, 0n);
            const claimed = request.funds.reduce((sum, funds) => sum + funds.fundedNanos, 0n);
            const ok = booked === claimed;
            return Promise.resolve({
              ok,
              checks: [{ name: 'deposits', ok, detail: `${booked} and ${claimed}` }],
            });
          },
        },
      },
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

function balances(
  fake: FakeEvents,
  { advertiserIds, publisherIds }: { advertiserIds: readonly string[]; publisherIds: readonly string[] },
) {
  const deposits = [...fake.booked.values()];
  const paidIn = (id: string) =>
    deposits
      .filter(({ advertiserId }) => advertiserId === id)
      .reduce((sum, { amountNanos }) => sum + amountNanos, 0n);
  const total = deposits.reduce((sum, { amountNanos }) => sum + amountNanos, 0n);
  return {
    accounts: [
      { kind: AccountKind.DEPOSITS, id: 'deposits', balanceNanos: -total },
      { kind: AccountKind.PLATFORM, id: 'platform', balanceNanos: 0n },
      ...publisherIds.map((id) => ({ kind: AccountKind.PUBLISHER, id, balanceNanos: 0n })),
      ...advertiserIds.map((id) => ({ kind: AccountKind.ADVERTISER, id, balanceNanos: paidIn(id) })),
    ],
    sumNanos: 0n,
  };
}
