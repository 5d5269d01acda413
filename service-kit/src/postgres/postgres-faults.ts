/** Every SQLSTATE of Postgres has a digit. `EPIPE` of a lost connection has none. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** SQLSTATE of an error of Postgres; null for anything else, such as a lost connection. */
export function sqlStateOf(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && SQLSTATE.test(code) ? code : null;
}

const READ_ONLY = '25006';
/** Class of SQLSTATEs: no room on the disk, in memory, or for connections. */
const NO_RESOURCES = '53';
const TOO_MANY_CONNECTIONS = '53300';
/** Class of SQLSTATEs: a fault of the system below, such as of its disk. */
const SYSTEM_FAULT = '58';

/** Whether Postgres answers but takes no writes: it is read-only or a standby, or its disk is full or fails. */
export function refusesWrites(error: unknown): boolean {
  const state = sqlStateOf(error) ?? '';
  if (state === TOO_MANY_CONNECTIONS) return false;
  return state === READ_ONLY || state.startsWith(NO_RESOURCES) || state.startsWith(SYSTEM_FAULT);
}

/**
 * A sentence for the caller about a failed statement: the database did not answer, takes no writes, or refused the
 * statement. `name` is the subject of the sentence, such as `The database`.
 */
export function databaseFault(name: string, error: unknown): string {
  if (sqlStateOf(error) === READ_ONLY) return `${name} takes no writes: it is read-only or a standby.`;
  if (refusesWrites(error)) return `${name} takes no writes: it has no room or its disk fails.`;
  // SQLSTATE classes of connection faults, and of a server that stops or starts.
  const isAway = /^(?:08|57|28)/.test(sqlStateOf(error) ?? '08');
  return isAway || sqlStateOf(error) === TOO_MANY_CONNECTIONS
    ? `${name} did not answer.`
    : `${name} refused a statement.`;
}
