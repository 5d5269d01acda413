/** What the access audit records. `refused`: a known actor was not let in, or not let do something. */
export type AccessAction =
  | 'key_created'
  | 'key_revoked'
  | 'user_created'
  | 'user_removed'
  | 'password_set'
  | 'totp_confirmed'
  | 'totp_removed'
  | 'session_begun'
  | 'session_ended'
  | 'webhook_created'
  | 'webhook_removed'
  | 'reward_replayed'
  | 'refused';

/** One row of the access audit, which is only ever added to. */
export interface AccessEntry {
  readonly atMs: number;
  /** See `actorText`. */
  readonly actor: string;
  readonly action: AccessAction;
  /** The id of the key or the user, or the operation that was refused. */
  readonly subject: string;
  /** What else to know, such as the role of a new key. It never holds a secret, a token or an address. */
  readonly detail: Readonly<Record<string, string>>;
}
