import { parseAmount } from '@placard/service-kit/pure';
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../gen/manage-api.js';
import { answerOf, onceOnly, problemOf } from '../../src/cli/session.js';

/** The key of an administrator, which every test console knows. */
export const ADMIN_KEY = `plk_${'0'.repeat(16)}_${'0'.repeat(64)}`;

/** A client with the key of an administrator. */
export function makeApi(port: number, key = ADMIN_KEY): Client<paths> {
  return createClient<paths>({
    baseUrl: `http://127.0.0.1:${port}/manage/v1`,
    headers: { Authorization: `Bearer ${key}` },
    querySerializer: { array: { style: 'form', explode: false } },
  });
}

/** The operations in words of the tests. Each throws the AppError of a problem. */
export type ManageClient = ReturnType<typeof makeManageClient>;

/** Makes a {@link ManageClient}. */
export function makeManageClient(api: Client<paths>) {
  return {
    async applyCatalog(request: { file: string; prune: boolean; onlyIfEmpty: boolean }) {
      const { file, prune, onlyIfEmpty } = request;
      const call = api.POST('/catalog/apply', {
        params: { query: { prune, confirm: prune, only_if_empty: onlyIfEmpty } },
        body: file,
        bodySerializer: (body) => body,
        headers: { 'Content-Type': 'application/yaml' },
      });
      const errors = problemOf((await call).error).errors ?? [];
      if (errors.length > 0) {
        const faults = errors.map(({ field, detail }) => `${field}: ${detail}`);
        return { faults, changes: [], notes: [], version: 0 };
      }
      const { changes, notes, version } = await answerOf(call);
      return {
        faults: [],
        changes: changes.map(({ change: action, kind, id, details }) => ({ action, kind, id, details })),
        notes,
        version,
      };
    },
    exportCatalog: async () => ({
      file: await answerOf(api.GET('/catalog/export', { parseAs: 'text' })),
    }),
    async deposit(request: { advertiserId: string; amount: string; reference: string }) {
      const { advertiserId: id, ...body } = request;
      const params = { path: { id }, header: onceOnly() };
      const answer = await answerOf(api.POST('/advertisers/{id}/deposits', { params, body }));
      return { isNew: answer.is_new };
    },
    /** Confirmed, unless it says otherwise. */
    async adjust(adjustment: {
      account: string;
      amount: string;
      reference: string;
      reason: string;
      confirm?: boolean;
    }) {
      const body = { confirm: true, ...adjustment };
      const params = { header: onceOnly() };
      const answer = await answerOf(api.POST('/ledger/adjustments', { params, body }));
      return { isNew: answer.is_new };
    },
    async getBalances() {
      const { accounts, sum } = await answerOf(api.GET('/ledger/balances'));
      return {
        accounts: accounts.map(({ kind, id, balance }) => ({ kind, id, balanceNanos: parseAmount(balance) })),
        sum,
      };
    },
    getStatement: (query: { account: string; month: string }) =>
      answerOf(api.GET('/ledger/statements', { params: { query } })),
    verifyBooks: (query: { wait: boolean }) =>
      answerOf(api.GET('/ledger/verification', { params: { query } })),
    verifyBookRows: (query: { after: string }) =>
      answerOf(api.GET('/ledger/verification/rows', { params: { query } })),
    report: (query: NonNullable<paths['/report']['get']['parameters']['query']>) =>
      answerOf(api.GET('/report', { params: { query } })),
  };
}
