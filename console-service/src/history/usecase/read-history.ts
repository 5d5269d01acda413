import { appError } from '@placard/service-kit';
import { GLOBAL_ID } from '../../catalog/domain/kinds.js';
import type { History, HistoryPage, HistoryRows } from '../store/history.js';

/**
 * Reads who changed which object of the catalog and when, newest first. Error `not_found`: the catalog never had an object
 * with the id. Contract: docs/contract/catalog.md#history.
 */
export type ReadHistory = (page: HistoryPage) => Promise<HistoryRows>;

/** Makes {@link ReadHistory}. */
export function makeReadHistory(history: Pick<History, 'read'>): ReadHistory {
  return async (page) => {
    const { id, after } = page;
    const found = await history.read(page);
    // Every object has its creation in the history, but the global one, which a migration created.
    if (found.rows.length > 0 || id === null || id === GLOBAL_ID || after !== null) return found;
    throw appError(
      'not_found',
      `The catalog never had an object ${id}. The id of a placement is app_id/code.`,
    );
  };
}
