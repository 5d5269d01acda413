import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

/**
 * Names of fields that are removed from logs, at the top of the logged object or one level down.
 * Contract: docs/contract/requests.md#logs.
 */
const SECRET_NAMES = [
  'session_token',
  'impression_token',
  'sessionToken',
  'impressionToken',
  'token',
  'body',
  'ip',
];

/** Options of a logger. */
export interface LoggerOptions {
  /** Default: standard output. */
  readonly destination?: DestinationStream;
  /** Fields of every line. The function is called when the line is written. */
  readonly fields?: () => object;
}

/**
 * A logger that writes one JSON object per line. Callers log what happened, never a token, an address of an app user or
 * a request body; the redaction is the second line of defence. Level `error` means that someone must act.
 */
export function makeLogger(name: string, level: string, { destination, fields }: LoggerOptions = {}): Logger {
  const options = {
    name,
    level,
    redact: { paths: SECRET_NAMES.flatMap((secret) => [secret, `*.${secret}`]), remove: true },
    ...(fields === undefined ? {} : { mixin: fields }),
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
