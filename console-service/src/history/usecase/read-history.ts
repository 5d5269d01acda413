import type { History, HistoryPage, HistoryRows } from '../store/history.js';

/** Reads who changed which object of the catalog and when, newest first. Contract: docs/contract/catalog.md#history. */
export type ReadHistory = (page: HistoryPage) => Promise<HistoryRows>;

/** Makes {@link ReadHistory}. */
export function makeReadHistory(history: Pick<History, 'read'>): ReadHistory {
  return (page) => history.read(page);
}
