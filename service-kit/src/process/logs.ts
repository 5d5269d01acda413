import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

/** Names that never reach a log, wherever they stand in the logged object. Contract: docs/contract/requests.md#logs. */
const SECRET_NAMES = [
  'session_token',
  'impression_token',
  'sessionToken',
  'impressionToken',
  'token',
  'body',
  'ip',
];

/** What may differ from one logger to the next. */
export interface LoggerOptions {
  /** Default: standard output. */
  readonly destination?: DestinationStream;
  /** Fields of every line, asked for when it is written. */
  readonly fields?: () => object;
}

/**
 * A JSON logger, one object a line. Callers log what happened, never a token, an address of an app
 * user or a request body; the redaction is the second wall. Level `error` means: someone must act.
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
