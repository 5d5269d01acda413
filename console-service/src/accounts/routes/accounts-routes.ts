import { actorText } from '../../access/domain/permission.js';
import type { RoutesOf } from '../../manage/domain/operations.js';
import type { Adjust } from '../usecase/adjust.js';
import type { BookDeposit } from '../usecase/book-deposit.js';
import type { GetBalances } from '../usecase/get-balances.js';
import type { GetStatement } from '../usecase/get-statement.js';
import type { VerifyBookRows } from '../usecase/verify-book-rows.js';
import type { VerifyBooks } from '../usecase/verify-books.js';
import { toBalances, toStatement, toVerification, toVerifiedRows } from './accounts-json.js';

/** The use cases of the operations on accounts. */
export interface AccountsRoutesDeps {
  readonly bookDeposit: BookDeposit;
  readonly adjust: Adjust;
  readonly getBalances: GetBalances;
  readonly getStatement: GetStatement;
  readonly verifyBooks: VerifyBooks;
  readonly verifyBookRows: VerifyBookRows;
  /** ISO 4217, of all amounts. */
  readonly currency: string;
}

type AccountsOperation =
  'depositFunds' | 'adjustAccount' | 'listBalances' | 'getStatement' | 'verifyBooks' | 'verifyBookRows';

/** The books, and the money calls. */
export function accountsRoutes(deps: AccountsRoutesDeps): RoutesOf<AccountsOperation> {
  const { currency } = deps;
  return {
    depositFunds: async ({ actor, path, body: { amount, reference } }) => {
      const deposit = { advertiserId: path.id, amount, reference, actor: actorText(actor) };
      const { isNew } = await deps.bookDeposit(deposit);
      return { body: { is_new: isNew, currency } };
    },
    adjustAccount: async ({ actor, body: { confirm, ...asked } }) => {
      const adjustment = { ...asked, isConfirmed: confirm === true, actor: actorText(actor) };
      const { isNew } = await deps.adjust(adjustment);
      return { body: { is_new: isNew, currency } };
    },
    listBalances: async () => ({ body: toBalances(await deps.getBalances(), currency) }),
    getStatement: async ({ query: { account, month } }) => ({
      body: toStatement({ month, currency }, await deps.getStatement({ account, month })),
    }),
    verifyBooks: async ({ query }) => ({
      body: toVerification(await deps.verifyBooks({ isWaiting: query.wait === true, isGivenOnly: false })),
    }),
    verifyBookRows: async ({ query }) => ({
      body: toVerifiedRows(await deps.verifyBookRows(query.after ?? '')),
    }),
  };
}
