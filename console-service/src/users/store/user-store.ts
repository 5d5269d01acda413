import type { AccessEntry } from '../../access/domain/audit-entry.js';
import type { Tenant } from '../../access/domain/permission.js';
import type { Session } from '../domain/session.js';
import type { User } from '../domain/user.js';

/** A user with its secrets. */
export interface StoredUser {
  readonly user: User;
  /** See `hashPassword`. */
  readonly passwordHash: string;
  /** Null: there is none. It counts only when the user `hasTotp`. */
  readonly totpSecret: Buffer | null;
}

/** A session with its user. */
export interface SessionOfUser {
  readonly session: Session;
  readonly user: User;
}

/** Users in one transaction, together with the audit of its changes. Every method may fail with `unavailable`. */
export interface UserTransaction {
  /** Answers false when a user has the name already; then nothing is written. */
  add(stored: StoredUser): Promise<boolean>;
  read(id: string): Promise<StoredUser | undefined>;
  setPassword(id: string, passwordHash: string): Promise<void>;
  /** Sets or removes the secret of codes, and removes the recovery codes. A new secret is not confirmed yet. */
  setTotp(id: string, secret: Buffer | null): Promise<void>;
  /** Confirms the secret, with the step of the code that proved it, and stores the hashes of recovery codes. */
  confirmTotp(id: string, step: number, codeHashes: readonly Buffer[]): Promise<void>;
  remove(id: string, atMs: number): Promise<void>;
  endSessionsOf(id: string): Promise<void>;
  audit(entry: AccessEntry): Promise<void>;
}

/** Users and their sessions. Every method may fail with `unavailable`. */
export interface UserStore {
  /** All users, removed ones included, the oldest first. */
  list(): Promise<User[]>;
  /** The user who may log in with a name, see `nameKey`. */
  findByName(key: string): Promise<StoredUser | undefined>;
  /** Whether the catalog has or had this publisher or advertiser. */
  wasEver(tenant: Tenant): Promise<boolean>;
  /** Notes the step of a code. Answers false when a code of this step or a later one was accepted before. */
  takeTotpStep(id: string, step: number): Promise<boolean>;
  /** Removes a recovery code. Answers false when the user has none with this hash. */
  takeRecoveryCode(id: string, hash: Buffer): Promise<boolean>;
  /**
   * Begins a session of a user whose password was checked against a hash. Answers false when the user has another password
   * by now, or is removed: then nothing is written.
   */
  addSession(
    hash: Buffer,
    of: { readonly userId: string; readonly passwordHash: string; readonly atMs: number },
  ): Promise<boolean>;
  /** The session of a user who is not removed. It may have expired. */
  readSession(hash: Buffer): Promise<SessionOfUser | undefined>;
  touchSession(hash: Buffer, atMs: number): Promise<void>;
  /** Ends a session with its row of the audit. Does nothing when there is no such session. */
  endSession(hash: Buffer, by: { readonly atMs: number; readonly actor: string }): Promise<void>;
  /** Counts an attempt for a name in the window that began at `windowMs`; answers the count. */
  countAttempt(nameHash: Buffer, windowMs: number): Promise<number>;
  /** Sets the count of a name back. */
  forgetAttempts(nameHash: Buffer): Promise<void>;
  /** Removes sessions that were created before an instant, and counts of windows that began before it. */
  removeBefore(atMs: number): Promise<void>;
  audit(entry: AccessEntry): Promise<void>;
  inChange<T>(work: (transaction: UserTransaction) => Promise<T>): Promise<T>;
}
