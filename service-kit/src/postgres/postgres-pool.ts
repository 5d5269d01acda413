import pg from 'pg';
import type { StoreAddress } from '../stores/store-address.js';
import { connectionOf } from './postgres-connection.js';

/** A pool of connections. */
export type Pool = pg.Pool;
/** One connection, inside a transaction. */
export type PoolClient = pg.PoolClient;
/** Anything that can run a statement. */
export type Queryable = Pick<pg.Pool, 'query'>;

/** Settings of a pool. */
export interface PostgresOptions extends StoreAddress {
  readonly poolMax: number;
  /** Longest that one statement may run, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /**
   * Longest pause of a transaction between two statements, in milliseconds; default one minute. After it the database
   * ends the transaction, so that a hanging or lost process does not block others.
   */
  readonly idleTransactionMs?: number;
  /** Longest wait for a connection, in milliseconds. */
  readonly connectTimeoutMs?: number;
  /** Longest life of a connection, in seconds. Default: no limit. */
  readonly lifeSeconds?: number;
  /** More settings of each connection, as `-c name=value …`; default none. */
  readonly session?: string;
  /** True: the process is ready without the database and serves degraded. Default false. */
  readonly optional?: boolean;
}

const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_TRANSACTION_MS = 60_000;
const CONNECT_TIMEOUT_MS = 2_000;

const OID_INT8 = 20;
const OID_NUMERIC = 1700;
const OID_DATE = 1082;
const OID_TIMESTAMPTZ = 1184;

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [OID_INT8, (text) => BigInt(text)],
  [OID_NUMERIC, (text) => (/^-?\d+$/.test(text) ? BigInt(text) : text)],
  [OID_DATE, (text) => text],
  [OID_TIMESTAMPTZ, (text) => Date.parse(toIsoOffset(text))],
]);

/**
 * Types of values that queries give: int8 as bigint, timestamptz as epoch milliseconds, date as `YYYY-MM-DD`, numeric
 * as bigint when whole (sums of int8 are numeric), else as text. No value depends on the time zone of the process or
 * becomes a float.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary'): ((text: string) => unknown) =>
    (format === 'binary' ? undefined : PARSERS.get(oid)) ??
    (pg.types.getTypeParser as (oid: number, format?: string) => (text: string) => unknown)(
      oid,
      format,
    )) as pg.CustomTypesConfig['getTypeParser'],
};

/** `2026-11-01 00:00:00.5+00` → `2026-11-01T00:00:00.5+00:00`. */
function toIsoOffset(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00');
}

/** Opens a pool with the type parsers of the product, without a health component. Its errors never end the process. */
export function makePool(options: PostgresOptions, onError: (error: Error) => void): Pool {
  const pool = new pg.Pool({
    ...connectionOf(options),
    max: options.poolMax,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: options.idleTransactionMs ?? IDLE_TRANSACTION_MS,
    query_timeout: (options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS) + 1_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    maxLifetimeSeconds: options.lifeSeconds ?? 0,
    options: options.session,
    types,
  });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}
