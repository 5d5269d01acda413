import {
  ConsoleServiceService,
  type ApplyCatalogRequest,
  type ApplyCatalogResponse,
  type ReportRequest,
  type ReportResponse,
} from '@placard/protos/console/v1/console.js';
import { AccountKind } from '@placard/protos/events/v1/events.js';
import { implementService, type ImplementedService } from '@placard/service-kit';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Account } from '../accounts/domain/account-name.js';
import type { Change } from '../catalog/domain/plan-apply.js';
import { readCatalogFile } from '../catalog/file/read-catalog-file.js';
import { writeText } from '../catalog/file/write-text.js';
import type { Adjust } from '../accounts/usecase/adjust.js';
import type { ApplyCatalog } from '../catalog/usecase/apply-catalog.js';
import type { MakeDeposit } from '../accounts/usecase/deposit.js';
import type { ExportCatalog } from '../catalog/usecase/export-catalog.js';
import type { GetBalances } from '../accounts/usecase/get-balances.js';
import type { GetReport } from '../reports/usecase/get-report.js';
import type { GetStatement } from '../accounts/usecase/get-statement.js';
import type { VerifyBookRows } from '../accounts/usecase/verify-book-rows.js';
import type { VerifyBooks } from '../accounts/usecase/verify-books.js';

/** What operators can do. */
export interface ConsoleUsecases {
  readonly applyCatalog: ApplyCatalog;
  readonly exportCatalog: ExportCatalog;
  readonly makeDeposit: MakeDeposit;
  readonly adjust: Adjust;
  readonly getBalances: GetBalances;
  readonly getStatement: GetStatement;
  readonly verifyBooks: VerifyBooks;
  readonly verifyBookRows: VerifyBookRows;
  readonly getReport: GetReport;
}

const ACCOUNT_KINDS: Readonly<Record<Account['kind'], AccountKind>> = {
  advertiser: AccountKind.ADVERTISER,
  publisher: AccountKind.PUBLISHER,
  platform: AccountKind.PLATFORM,
  deposits: AccountKind.DEPOSITS,
};
/** Who the audit names for what comes from the command line. */
const ACTOR = 'placard command';

/** ConsoleService, for the `placard` command. */
export function implementConsoleService(usecases: ConsoleUsecases): ImplementedService {
  return implementService(ConsoleServiceService, {
    applyCatalog: (request) => apply(usecases, request),
    exportCatalog: async () => {
      const tree = await usecases.exportCatalog();
      return { file: await writeText(tree, () => breathe()) };
    },
    deposit: ({ advertiserId, amount, reference }) =>
      usecases.makeDeposit({ advertiserId, amount, reference, actor: ACTOR }),
    getBalances: async () => {
      const { accounts, sumNanos, sum } = await usecases.getBalances();
      return { accounts: [...accounts], sumNanos, sum };
    },
    adjust: ({ account, amount, reference, reason }) =>
      usecases.adjust({ account, amount, reference, reason, actor: ACTOR }),
    getStatement: async (request) => {
      const { account, statement } = await usecases.getStatement(request);
      return { kind: ACCOUNT_KINDS[account.kind], accountId: account.id, statement };
    },
    verifyBooks: async ({ wait }) => {
      const { ok, checks, waiting } = await usecases.verifyBooks({ isWaiting: wait });
      return { ok, checks: [...checks], ...(waiting !== null && { waiting }) };
    },
    verifyBookRows: async ({ after }) => ({ piece: await usecases.verifyBookRows(after) }),
    report: (request) => report(usecases, request),
  });
}

async function apply(usecases: ConsoleUsecases, request: ApplyCatalogRequest): Promise<ApplyCatalogResponse> {
  const { file, faults } = await readCatalogFile(request.file);
  if (file === null) return { faults: [...faults.list()], changes: [], notes: [], version: 0n };
  const result = await usecases.applyCatalog({
    file,
    faults,
    isPruning: request.prune,
    isOnlyIfEmpty: request.onlyIfEmpty,
    actor: ACTOR,
  });
  return {
    faults: [...result.faults],
    notes: [...result.notes],
    changes: result.changes.map(toChange),
    version: BigInt(result.version),
  };
}

function toChange({ action, kind, id, details }: Change) {
  return { action, kind, id, details: [...details] };
}

async function report(usecases: ConsoleUsecases, request: ReportRequest): Promise<ReportResponse> {
  const { asOfMs, fromMs, toMs, rows } = await usecases.getReport({
    by: request.by,
    fromMs: orNull(request.fromMs),
    toMs: orNull(request.toMs),
  });
  return { asOfMs: BigInt(asOfMs), fromMs: BigInt(fromMs), toMs: BigInt(toMs), rows: [...rows] };
}

function orNull(value: bigint | undefined): number | null {
  return value === undefined ? null : Number(value);
}
