/** A `DATABASE_URL`, read. */
export interface DatabaseUrl {
  /** Without `sslmode`, which the driver must not read: it would replace the other options of TLS. */
  readonly url: string;
  readonly isTls: boolean;
  /** Null: a socket of this machine. */
  readonly host: string | null;
}

const MODE = 'sslmode';
const TLS_MODE = 'verify-full';
const PLAIN_MODE = 'disable';
/** Options of TLS that the driver would read from a URL. Some of them switch the check of the server off. */
const OTHER_TLS_OPTION = /^(?:ssl|uselibpqcompat)/i;

/** What is wrong with the TLS options of a valid URL, after the name of its setting; null: nothing. */
export function databaseUrlFault(text: string): string | null {
  const { searchParams } = new URL(text);
  const modes = searchParams.getAll(MODE);
  if (modes.length > 1 || (modes[0] !== undefined && ![TLS_MODE, PLAIN_MODE].includes(modes[0])))
    return `must have ${MODE}=${TLS_MODE} (TLS, and the server proves its name), ${MODE}=${PLAIN_MODE} or no ${MODE}`;
  const other = [...searchParams.keys()].find((name) => name !== MODE && OTHER_TLS_OPTION.test(name));
  return other === undefined
    ? null
    : `must not have ${other}; for TLS it ends with ?${MODE}=${TLS_MODE}, and DATABASE_CA_FILE names the authorities`;
}

/** As the driver reads it: the last option `host` goes before the host of the URL. */
function hostOf({ hostname, searchParams }: URL): string | null {
  const host = searchParams.getAll('host').at(-1) ?? '';
  const name = host === '' ? hostname : host;
  return /^(?:\/|%2f)/i.test(name) ? null : name;
}

/** Reads a `DATABASE_URL` in which {@link databaseUrlFault} finds nothing. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const parsed = new URL(text);
  const mode = parsed.searchParams.get(MODE);
  const host = hostOf(parsed);
  if (mode === null) return { url: text, isTls: false, host };
  parsed.searchParams.delete(MODE);
  return { url: parsed.href, isTls: mode === TLS_MODE, host };
}

/** The hosts that a `DATABASE_URL` reaches without TLS. */
export function plainDatabaseHosts(url: string): readonly string[] {
  const { isTls, host } = parseDatabaseUrl(url);
  return isTls || host === null ? [] : [host];
}
