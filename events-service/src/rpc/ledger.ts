import { LedgerServiceService } from '@placard/protos/events/v1/events.js';
import { implementService, type ImplementedService } from '@placard/service-kit';
import type { ListBalances } from '../usecase/list-balances.js';
import type { RecordDeposit } from '../usecase/record-deposit.js';
import type { VerifyLedger } from '../usecase/verify-ledger.js';
import { WIRE_ACCOUNT_KINDS } from './words.js';

/** What LedgerService does. */
export interface LedgerUseCases {
  readonly recordDeposit: RecordDeposit;
  readonly listBalances: ListBalances;
  readonly verifyLedger: VerifyLedger;
}

/** LedgerService on the wire. Rulings: "Money". */
export function implementLedgerService(useCases: LedgerUseCases): ImplementedService {
  return implementService(LedgerServiceService, {
    async recordDeposit({ advertiserId, amountNanos, reference }) {
      return { isNew: await useCases.recordDeposit({ advertiserId, amountNanos, reference }) };
    },
    async listBalances({ advertiserIds, publisherIds }) {
      const { accounts, sumNanos } = await useCases.listBalances({ advertiserIds, publisherIds });
      return {
        accounts: accounts.map(({ kind, id, balanceNanos }) => ({
          kind: WIRE_ACCOUNT_KINDS[kind],
          id,
          balanceNanos,
        })),
        sumNanos,
      };
    },
    async verifyLedger({ wait, funds }, call) {
      const checks = await useCases.verifyLedger({ wait, funds, deadlineAtMs: call.deadlineAt });
      return { ok: checks.every((check) => check.ok), checks: [...checks] };
    },
  });
}
