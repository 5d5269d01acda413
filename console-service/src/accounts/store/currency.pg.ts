import { ConfigError } from '@placard/service-kit';
import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { runSql } from '../../store/run-sql.js';

const keepCurrencySql = loadText(import.meta.url, './keep-currency.sql');

/**
 * Keeps the currency of the installation, which may change until the first booking. Errors: `ConfigError` (it is another
 * one since), `unavailable`. Contract: docs/contract/money.md#currency.
 */
export async function keepCurrency(pool: Pool, currency: string): Promise<void> {
  const [row] = await runSql<{ readonly code: string }>(pool, keepCurrencySql, [currency]);
  const kept = row?.code ?? currency;
  if (kept === currency) return;
  throw new ConfigError([
    `CURRENCY: is ${currency}, and the books are in ${kept} since their first booking; set it to ${kept}`,
  ]);
}
