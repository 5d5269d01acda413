import { loadText } from '@placard/service-kit/files';
import type { Queryable } from '@placard/service-kit/postgres';
import type { StoredObject } from '../domain/catalog-object.js';
import { parentKindOf, type ObjectKind } from '../domain/kinds.js';
import type { Change } from '../domain/plan-apply.js';
import type { Adjustment } from '../../accounts/domain/adjustment-rules.js';
import type { Deposit } from '../../accounts/domain/deposit-rules.js';
import type { CatalogTransaction, Publication, Published } from './catalog-store.js';
import type { History } from '../../history/store/history.js';
import { makePgHistory } from '../../history/store/history.pg.js';
import type { CatalogReads } from './reads/catalog-reads.js';
import { makePgCatalogReads } from './reads/catalog-reads.pg.js';
import { fromObjectRow, type ObjectRow } from './rows.js';
import type { FundsBook } from '../../accounts/store/funds-book.js';
import { makePgFundsBook } from '../../accounts/store/funds-book.pg.js';
import {
  fromAdjustmentRow,
  fromDepositRow,
  type AdjustmentRow,
  type DepositRow,
} from '../../accounts/store/rows.js';
import { runSql } from '../../store/run-sql.js';

const lockVersionSql = loadText(import.meta.url, './lock-version.sql');
const raiseVersionSql = loadText(import.meta.url, './raise-version.sql');
const readAllSql = loadText(import.meta.url, './read-all.sql');
const readNamedSql = loadText(import.meta.url, './read-named.sql');
const readDepositSql = loadText(import.meta.url, './read-deposit.sql');
const readFundsTotalSql = loadText(import.meta.url, './read-funds-total.sql');
const writeObjectsSql = loadText(import.meta.url, './write-objects.sql');
const writeAuditSql = loadText(import.meta.url, './write-audit.sql');
const addDepositsSql = loadText(import.meta.url, './add-deposits.sql');
const addAdjustmentSql = loadText(import.meta.url, './add-adjustment.sql');
const readAdjustmentSql = loadText(import.meta.url, './read-adjustment.sql');
const touchOwnersSql = loadText(import.meta.url, './touch-owners.sql');

/** Most rows of one statement: enough for few round trips, few enough for small messages. */
const ROWS_PER_STATEMENT_MAX = 10_000;

/** Locks the catalog within a transaction of Postgres. */
export async function lockCatalog(db: Queryable): Promise<CatalogTransaction> {
  const [locked] = await runSql<{ version: bigint }>(db, lockVersionSql);
  if (locked === undefined) throw new Error('catalog.counter has no row: the migrations have not run');
  return new PgCatalogTransaction(db, Number(locked.version));
}

class PgCatalogTransaction implements CatalogTransaction {
  readonly version: number;
  readonly reads: CatalogReads;
  readonly history: History;
  readonly funds: FundsBook;
  readonly #db: Queryable;

  constructor(db: Queryable, version: number) {
    this.#db = db;
    this.version = version;
    this.reads = makePgCatalogReads(db);
    this.history = makePgHistory(db);
    this.funds = makePgFundsBook(db);
  }

  async readNamed(
    names: readonly Pick<StoredObject, 'kind' | 'id'>[],
    appKeys: readonly string[],
  ): Promise<StoredObject[]> {
    const kinds = names.map((name) => name.kind);
    const ids = names.map((name) => name.id);
    const rows = await runSql<ObjectRow>(this.#db, readNamedSql, [kinds, ids, appKeys]);
    return rows.map(fromObjectRow);
  }

  async readAll(): Promise<StoredObject[]> {
    const rows = await runSql<ObjectRow>(this.#db, readAllSql);
    return rows.map(fromObjectRow);
  }

  async readDeposit(reference: string): Promise<Deposit | undefined> {
    const [row] = await runSql<DepositRow>(this.#db, readDepositSql, [reference]);
    return row === undefined ? undefined : fromDepositRow(row);
  }

  async readFundsTotal(): Promise<bigint> {
    const [row] = await runSql<{ total_nanos: bigint }>(this.#db, readFundsTotalSql);
    return row?.total_nanos ?? 0n;
  }

  async readAdjustment(reference: string): Promise<Adjustment | undefined> {
    const [row] = await runSql<AdjustmentRow>(this.#db, readAdjustmentSql, [reference]);
    return row === undefined ? undefined : fromAdjustmentRow(row);
  }

  async adjust(adjustment: Adjustment, by: { readonly actor: string; readonly atMs: number }): Promise<void> {
    const version = this.version + 1;
    const { reference, account, amountNanos, reason } = adjustment;
    const row = [reference, account.kind, account.id, amountNanos, reason, by.atMs];
    await runSql(this.#db, addAdjustmentSql, row);
    await runSql(this.#db, touchOwnersSql, [version, account.kind, [account.id]]);
    await this.#writeAudit(version, by, [toAdjustmentEntry(adjustment)]);
    await runSql(this.#db, raiseVersionSql, [version]);
  }

  async publish(publication: Publication): Promise<Published> {
    const version = this.version + 1;
    for (let at = 0; at < publication.changes.length; at += ROWS_PER_STATEMENT_MAX) {
      const changes = publication.changes.slice(at, at + ROWS_PER_STATEMENT_MAX);
      await this.#writeObjects(version, changes);
      await this.#writeAudit(version, publication, changes.map(toAuditEntry));
    }
    const deposited = await this.#addDeposits(version, publication);
    await runSql(this.#db, raiseVersionSql, [version]);
    return { version, deposited };
  }

  async #writeObjects(version: number, changes: readonly Change[]): Promise<void> {
    await runSql(this.#db, writeObjectsSql, [
      version,
      changes.map((change) => change.kind),
      changes.map((change) => change.id),
      changes.map((change) => parentKindOf(change.kind)),
      changes.map((change) => change.parentId),
      changes.map((change) => JSON.stringify(change.after ?? change.before)),
      changes.map((change) => change.after === null),
    ]);
  }

  async #writeAudit(
    version: number,
    publication: Pick<Publication, 'atMs' | 'actor'>,
    entries: readonly AuditEntry[],
  ): Promise<void> {
    await runSql(this.#db, writeAuditSql, [
      version,
      publication.atMs,
      publication.actor,
      entries.map((entry) => entry.action),
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.id),
      entries.map((entry) => entry.before),
      entries.map((entry) => entry.after),
    ]);
  }

  async #addDeposits(version: number, publication: Publication): Promise<ReadonlySet<string>> {
    const { deposits } = publication;
    if (deposits.length === 0) return new Set();
    const rows = await runSql<{ reference: string }>(this.#db, addDepositsSql, [
      deposits.map((deposit) => deposit.reference),
      deposits.map((deposit) => deposit.advertiserId),
      deposits.map((deposit) => deposit.amountNanos),
      publication.atMs,
    ]);
    const deposited = new Set(rows.map((row) => row.reference));
    const added = deposits.filter((deposit) => deposited.has(deposit.reference));
    const advertiserIds = added.map((deposit) => deposit.advertiserId);
    await runSql(this.#db, touchOwnersSql, [version, 'advertiser', advertiserIds]);
    await this.#writeAudit(version, publication, added.map(toDepositEntry));
    return deposited;
  }
}

interface AuditEntry {
  readonly action: string;
  readonly kind: ObjectKind;
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

function toAuditEntry({ action, kind, id, before, after }: Change): AuditEntry {
  const text = (fields: unknown): string | null => (fields === null ? null : JSON.stringify(fields));
  return { action, kind, id, before: text(before), after: text(after) };
}

function toDepositEntry({ advertiserId, amountNanos, reference }: Deposit): AuditEntry {
  const after = JSON.stringify({ reference, amount_nanos: amountNanos.toString() });
  return { action: 'deposited', kind: 'advertiser', id: advertiserId, before: null, after };
}

function toAdjustmentEntry({ account, amountNanos, reference, reason }: Adjustment): AuditEntry {
  const after = JSON.stringify({ reference, amount_nanos: amountNanos.toString(), reason });
  return { action: 'adjusted', kind: account.kind, id: account.id, before: null, after };
}
