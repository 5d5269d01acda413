import { LedgerServiceService } from '@placard/protos/events/v1/events.js';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { asAccountId, asAdvertiserId, asOwnerId, asPublisherId } from '@placard/service-kit/pure';
import { VERIFY_WAIT_MS_MAX, type VerifyLedger } from '../../verification/usecase/verify-ledger.js';
import type { VerifyRows } from '../../verification/usecase/verify-rows.js';
import type { CloseMonth } from '../../months/usecase/close-month.js';
import type { ListStatements } from '../../months/usecase/list-statements.js';
import type { GetStatement } from '../usecase/get-statement.js';
import type { ListBalances } from '../usecase/list-balances.js';
import type { RecordAdjustment } from '../usecase/record-adjustment.js';
import type { RecordDeposit } from '../usecase/record-deposit.js';
import type { RecordTransfer } from '../usecase/record-transfer.js';
import {
  fromWireAccountKind,
  fromWireGiven,
  fromWireOwner,
  toWireBalances,
  toWireMonth,
  toWireMonthStatement,
  toWirePiece,
  toWireStatement,
  toWireWaiting,
} from './wire.js';

/** What LedgerService does. */
export interface LedgerUseCases {
  readonly recordDeposit: RecordDeposit;
  readonly recordAdjustment: RecordAdjustment;
  readonly recordTransfer: RecordTransfer;
  readonly closeMonth: CloseMonth;
  readonly listStatements: ListStatements;
  readonly listBalances: ListBalances;
  readonly getStatement: GetStatement;
  readonly verifyLedger: VerifyLedger;
  readonly verifyRows: VerifyRows;
}

/** LedgerService on the wire. Contract: docs/contract/money.md#ledger. */
export function implementLedgerService(useCases: LedgerUseCases): ImplementedService {
  return implementService(LedgerServiceService, {
    async recordDeposit({ advertiserId, amountNanos, reference }) {
      const deposit = { advertiserId: asAdvertiserId(advertiserId), amountNanos, reference };
      return { isNew: await useCases.recordDeposit(deposit) };
    },
    async recordAdjustment({ kind, accountId, amountNanos, reference, reason }) {
      const account = { accountKind: fromWireOwner(kind), accountId: asOwnerId(accountId) };
      return { isNew: await useCases.recordAdjustment({ ...account, amountNanos, reference, reason }) };
    },
    async recordTransfer({ kind, accountId, amountNanos, reference }, call) {
      const account = { accountKind: fromWireOwner(kind), accountId: asOwnerId(accountId) };
      const transfer = { ...account, amountNanos, reference };
      return { isNew: await useCases.recordTransfer(transfer, call.deadlineAt) };
    },
    async closeMonth({ firstDay, minimumPayoutNanos }) {
      const { isNew, month } = await useCases.closeMonth({
        firstDay: Number(firstDay),
        minimumPayoutNanos: minimumPayoutNanos ?? null,
      });
      return { isNew, month: toWireMonth(month) };
    },
    async listStatements({ firstDay, afterNumber, rowsMax, dueOnly }) {
      const wanted = { firstDay: Number(firstDay), afterNumber, rowsMax, isDueOnly: dueOnly };
      const { month, statements } = await useCases.listStatements(wanted);
      return { month: toWireMonth(month), statements: statements.map(toWireMonthStatement) };
    },
    async listBalances({ advertiserIds, publisherIds }) {
      const named = {
        advertiserIds: advertiserIds.map(asAdvertiserId),
        publisherIds: publisherIds.map(asPublisherId),
      };
      return toWireBalances(await useCases.listBalances(named));
    },
    async getStatement({ kind, accountId, fromDay, toDay }) {
      const account = { kind: fromWireAccountKind(kind), id: asAccountId(accountId) };
      const range = { fromDay: Number(fromDay), toDay: Number(toDay) };
      return toWireStatement(await useCases.getStatement(account, range));
    },
    async verifyLedger(request, call) {
      const waitMsMax = Math.min(request.waitMsMax ?? VERIFY_WAIT_MS_MAX, VERIFY_WAIT_MS_MAX);
      const { checks, waiting } = await useCases.verifyLedger({
        waitMsMax: request.wait ? waitMsMax : 0,
        given: fromWireGiven(request),
        isGivenOnly: request.fundsOnly,
        deadlineAtMs: call.deadlineAt,
      });
      return {
        ok: checks.every((check) => check.ok),
        checks: [...checks],
        waiting: waiting === null ? undefined : toWireWaiting(waiting),
      };
    },
    async verifyLedgerRows({ after }) {
      return toWirePiece(await useCases.verifyRows(after === '' ? null : after));
    },
  });
}
