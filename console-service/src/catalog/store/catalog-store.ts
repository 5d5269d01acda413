import type { OwnedAccount } from '../../accounts/domain/account-name.js';
import type { Adjustment } from '../../accounts/domain/adjustment-rules.js';
import type { CatalogRow, StoredObject } from '../domain/catalog-object.js';
import type { Deposit } from '../../accounts/domain/deposit-rules.js';
import type { ObjectKind } from '../domain/kinds.js';
import type { Change } from '../domain/plan-apply.js';

/** One change of the catalog: all of it becomes visible under one new version, or none. */
export interface Publication {
  /** Parents before children. */
  readonly changes: readonly Change[];
  /** Those whose reference is taken already are left out. */
  readonly deposits: readonly Deposit[];
  /** Who asked, for the audit. */
  readonly actor: string;
  /** Epoch ms. */
  readonly atMs: number;
}

/** What a publication came to. */
export interface Published {
  readonly version: number;
  /** References of the deposits that are new. */
  readonly deposited: ReadonlySet<string>;
}

/** The catalog while it is locked against other changes. */
export interface CatalogTransaction {
  /** Version of the last change before this one; 1 when there was none ever. */
  readonly version: number;
  /** The objects named, and every app that has one of the keys. */
  readNamed(
    names: readonly Pick<StoredObject, 'kind' | 'id'>[],
    appKeys: readonly string[],
  ): Promise<StoredObject[]>;
  readAll(): Promise<StoredObject[]>;
  /** Undefined when the reference is free: neither it nor one that looks like it is booked. */
  readDeposit(reference: string): Promise<Deposit | undefined>;
  /** As with {@link readDeposit}. */
  readAdjustment(reference: string): Promise<Adjustment | undefined>;
  /** All deposits and adjustments, each by its size, in nano-units. */
  readFundsTotal(): Promise<bigint>;
  /** Whether an advertiser or publisher is or was in the catalog. */
  wasEver(account: OwnedAccount): Promise<boolean>;
  publish(publication: Publication): Promise<Published>;
  /** Adds an adjustment whose reference is free, under a new version. */
  adjust(adjustment: Adjustment, by: { readonly actor: string; readonly atMs: number }): Promise<void>;
}

/** The stored catalog. Every method may fail with `unavailable`. */
export interface CatalogStore {
  /** Version of the last change. */
  readVersion(): Promise<number>;
  /** What changed behind a version, tombstones included, as of one instant. */
  readChanges(
    afterVersion: number,
  ): Promise<{ readonly version: number; readonly rows: readonly CatalogRow[] }>;
  readAll(): Promise<StoredObject[]>;
  readIds(kind: ObjectKind): Promise<string[]>;
  /** As what an id is or was in the catalog, of those who have an account. */
  ownersOf(id: string): Promise<OwnedAccount['kind'][]>;
  /** Runs `work` alone: changes are totally ordered. What it published is kept only when it resolves. */
  inChange<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T>;
}

/** Signals changes made by any console-service. */
export interface ChangeSignal {
  /** Calls the listener when something may have changed; signals can be lost, so poll too. */
  onChange(listener: () => void): void;
}
