import type { ClientConfig } from 'pg';
import { parseDatabaseUrl } from '../stores/database-url.js';
import type { StoreAddress } from '../stores/store-address.js';
import { tlsOf } from '../stores/store-tls.js';

/**
 * Where the driver connects to, with TLS or without it. `ssl` is always set, so that `PGSSLMODE` of the environment
 * changes nothing.
 */
export function connectionOf(address: StoreAddress): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  const { url, isTls } = parseDatabaseUrl(address.url);
  return { connectionString: url, ssl: isTls ? tlsOf(address) : false };
}
