import {
  ConsoleServiceService,
  type ApplyCatalogRequest,
  type ApplyCatalogResponse,
  type ReportRequest,
  type ReportResponse,
} from '@placard/protos/console/v1/console.js';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { accountKindOnWire } from '@placard/service-kit/wire';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Change } from '../catalog/domain/plan-apply.js';
import { readCatalogFile } from '../catalog/file/read-catalog-file.js';
import { writeText } from '../catalog/file/write-text.js';
import type { Adjust } from '../accounts/usecase/adjust.js';
import type { ApplyCatalog } from '../catalog/usecase/apply-catalog.js';
import type { BookDeposit } from '../accounts/usecase/book-deposit.js';
import type { ExportCatalog } from '../catalog/usecase/export-catalog.js';
import type { GetBalances } from '../accounts/usecase/get-balances.js';
import type { GetReport } from '../reports/usecase/get-report.js';
import type { GetStatement } from '../accounts/usecase/get-statement.js';
import type { VerifyBookRows } from '../accounts/usecase/verify-book-rows.js';
import type { VerifyBooks } from '../accounts/usecase/verify-books.js';

/** The operators' use cases that the handlers call. */
export interface ConsoleDeps {
  readonly catalog: {
    readonly applyCatalog: ApplyCatalog;
    readonly exportCatalog: ExportCatalog;
  };
  readonly accounts: {
    readonly bookDeposit: BookDeposit;
    readonly adjust: Adjust;
    readonly getBalances: GetBalances;
    readonly getStatement: GetStatement;
    readonly verifyBooks: VerifyBooks;
    readonly verifyBookRows: VerifyBookRows;
  };
  readonly getReport: GetReport;
}

/** The actor in the audit for calls from the command line. */
const ACTOR = 'placard command';

/** ConsoleService, for the `placard` command. */
export function implementConsoleService({ catalog, accounts, getReport }: ConsoleDeps): ImplementedService {
  return implementService(ConsoleServiceService, {
    applyCatalog: (request) => apply(catalog, request),
    exportCatalog: async () => {
      const tree = await catalog.exportCatalog();
      return { file: await writeText(tree, () => breathe()) };
    },
    deposit: ({ advertiserId, amount, reference }) =>
      accounts.bookDeposit({ advertiserId, amount, reference, actor: ACTOR }),
    getBalances: async () => {
      const balances = await accounts.getBalances();
      return { accounts: [...balances.accounts], sumNanos: balances.sumNanos, sum: balances.sum };
    },
    adjust: ({ account, amount, reference, reason }) =>
      accounts.adjust({ account, amount, reference, reason, actor: ACTOR }),
    getStatement: async (request) => {
      const { account, statement } = await accounts.getStatement(request);
      return { kind: accountKindOnWire.toWire(account.kind), accountId: account.id, statement };
    },
    verifyBooks: async ({ wait }) => {
      const { ok, checks, waiting } = await accounts.verifyBooks({ isWaiting: wait });
      return { ok, checks: [...checks], waiting: waiting ?? undefined };
    },
    verifyBookRows: async ({ after }) => ({ piece: await accounts.verifyBookRows(after) }),
    report: (request) => report(getReport, request),
  });
}

async function apply(
  { applyCatalog }: Pick<ConsoleDeps['catalog'], 'applyCatalog'>,
  request: ApplyCatalogRequest,
): Promise<ApplyCatalogResponse> {
  const { file, faults } = await readCatalogFile(request.file);
  if (file === null) return { faults: [...faults.list()], changes: [], notes: [], version: 0n };
  const result = await applyCatalog({
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

async function report(getReport: GetReport, request: ReportRequest): Promise<ReportResponse> {
  const { asOfMs, fromMs, toMs, rows } = await getReport({
    by: request.by,
    fromMs: orNull(request.fromMs),
    toMs: orNull(request.toMs),
  });
  return { asOfMs: BigInt(asOfMs), fromMs: BigInt(fromMs), toMs: BigInt(toMs), rows: [...rows] };
}

function orNull(value: bigint | undefined): number | null {
  return value === undefined ? null : Number(value);
}
