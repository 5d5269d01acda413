import type { AccessEntry } from '../domain/audit-entry.js';
import type { ApiKey } from '../domain/api-key.js';
import type { Named, Tenant } from '../domain/permission.js';

/** A key with the hash of its text. */
export interface HashedKey {
  readonly key: ApiKey;
  /** 32 bytes, see `hashSecret`. */
  readonly hash: Buffer;
}

/** API keys in one transaction, together with the audit of its changes. Every method may fail with `unavailable`. */
export interface KeyTransaction {
  /** Answers false when a key with this id exists already; then nothing is written. */
  add(hashed: HashedKey): Promise<boolean>;
  read(id: string): Promise<HashedKey | undefined>;
  /** The ids of the valid keys with the role `admin`. They stay as they are until the transaction ends. */
  lockAdminIds(): Promise<readonly string[]>;
  /** Answers false when the key was revoked before. */
  revoke(id: string, atMs: number): Promise<boolean>;
  audit(entry: AccessEntry): Promise<void>;
}

/** All API keys, revoked ones included. Every method may fail with `unavailable`. */
export interface KeyStore {
  read(id: string): Promise<HashedKey | undefined>;
  /** All keys, the oldest first. */
  list(): Promise<ApiKey[]>;
  /** Notes a use. */
  touch(id: string, atMs: number): Promise<void>;
  /** Whether the catalog has or had this publisher or advertiser. */
  wasEver(tenant: Tenant): Promise<boolean>;
  /** The publisher or advertiser that an object of the catalog belongs to. Undefined: the catalog never had it. */
  ownerOf(named: Named): Promise<Tenant | undefined>;
  /** Adds one row to the audit. */
  audit(entry: AccessEntry): Promise<void>;
  inChange<T>(work: (transaction: KeyTransaction) => Promise<T>): Promise<T>;
}
