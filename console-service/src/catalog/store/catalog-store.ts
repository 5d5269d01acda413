import type { OwnerId } from '@placard/service-kit/pure';
import type { OwnedAccount, OwnerIds } from '../../accounts/domain/account-name.js';
import type { Adjustment } from '../../accounts/domain/adjustment-rules.js';
import type { CatalogRow, StoredObject } from '../domain/catalog-object.js';
import type { Deposit } from '../../accounts/domain/deposit-rules.js';
import type { FundsBook } from '../../accounts/store/funds-book.js';
import type { Change } from '../domain/plan-apply.js';
import type { History } from '../../history/store/history.js';
import type { CatalogReads } from './reads/catalog-reads.js';

/** One change of the catalog: all of it becomes visible under one new version, or none. */
export interface Publication {
  /** Parents before children. */
  readonly changes: readonly Change[];
  /** Deposits whose reference is already used are skipped. */
  readonly deposits: readonly Deposit[];
  /** The caller, for the audit. */
  readonly actor: string;
  /** Epoch ms. */
  readonly atMs: number;
}

/** The result of a publication. */
export interface Published {
  readonly version: number;
  /** References of new deposits. */
  readonly deposited: ReadonlySet<string>;
}

/** The catalog while it is locked against other changes. */
export interface CatalogTransaction {
  /** Version of the last change before this one; 1 when there was none. */
  readonly version: number;
  readonly reads: CatalogReads;
  readonly history: History;
  /** The deposits and adjustments so far. */
  readonly funds: FundsBook;
  /** The named objects, and every app with one of the keys. */
  readNamed(
    names: readonly Pick<StoredObject, 'kind' | 'id'>[],
    appKeys: readonly string[],
  ): Promise<StoredObject[]>;
  readAll(): Promise<StoredObject[]>;
  /** The deposit with this reference or one that looks like it; undefined when the reference is free. */
  readDeposit(reference: string): Promise<Deposit | undefined>;
  /** The same for adjustments, see {@link readDeposit}. */
  readAdjustment(reference: string): Promise<Adjustment | undefined>;
  /** Sum of the absolute amounts of all deposits and adjustments, in nano-units. */
  readFundsTotal(): Promise<bigint>;
  publish(publication: Publication): Promise<Published>;
  /** Adds an adjustment whose reference is free, under a new version. */
  adjust(adjustment: Adjustment, by: { readonly actor: string; readonly atMs: number }): Promise<void>;
}

/** The stored catalog. Every method may fail with `unavailable`. */
export interface CatalogStore {
  readonly reads: CatalogReads;
  readonly history: History;
  /** Version of the last change. */
  readVersion(): Promise<number>;
  /** The changes after a version, including tombstones, in one snapshot. */
  readChanges(
    afterVersion: number,
  ): Promise<{ readonly version: number; readonly rows: readonly CatalogRow[] }>;
  /** All objects that are not removed, and the version of the last change, in one snapshot. */
  readAll(): Promise<{ readonly version: number; readonly objects: readonly StoredObject[] }>;
  readOwnerIds(): Promise<OwnerIds>;
  /** The kinds of account owners that have or had this id in the catalog. */
  ownersOf(id: OwnerId): Promise<OwnedAccount['kind'][]>;
  /** Runs `work` under the lock of the catalog, so that changes are totally ordered. Rolls back when `work` fails. */
  inChange<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T>;
}

/** Signals changes made by any console-service. */
export interface ChangeSignal {
  /** Calls the listener when something may have changed. Signals can be lost, so poll too. */
  onChange(listener: () => void): void;
}
