import type { CatalogRow, StoredObject } from '../domain/catalog-object.js';
import type { Deposit } from '../domain/deposit-rules.js';
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
  /** Undefined when the reference is free. */
  readDeposit(reference: string): Promise<Deposit | undefined>;
  /** Everything that all advertisers ever paid in, in nano-units. */
  readFundsTotal(): Promise<bigint>;
  publish(publication: Publication): Promise<Published>;
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
  /** Runs `work` alone: changes are totally ordered. What it published is kept only when it resolves. */
  inChange<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T>;
}

/** Hears of changes made by any console-service. */
export interface ChangeSignal {
  /** The listener only learns that something may have changed; signals can be lost, so poll too. */
  onChange(listener: () => void): void;
}
