import { toIso } from '@placard/service-kit/pure';
import type { RoutesOf, Schemas } from '../../manage/domain/operations.js';
import { readRange } from '../../reports/routes/report-routes.js';
import type { ListSuspiciousEvents, SuspiciousReport } from '../usecase/list-suspicious-events.js';

const DEFAULT_KEYS = ['rule', 'app', 'placement', 'session'] as const;

/** Suspicious events. */
export function fraudRoutes(list: ListSuspiciousEvents): RoutesOf<'listSuspiciousEvents'> {
  return {
    listSuspiciousEvents: async ({ query }) => {
      const range = readRange(query, 'The report of suspicious events');
      if ('refusal' in range) return range;
      const { by = DEFAULT_KEYS, rule = null, app = null } = query;
      return { body: toSuspiciousReport(await list({ ...range, by, rule, app })) };
    },
  };
}

function toSuspiciousReport({
  by,
  fromMs,
  toMs,
  rows,
  rowsLeftOut,
}: SuspiciousReport): Schemas['SuspiciousReport'] {
  return {
    from: toIso(fromMs),
    to: toIso(toMs),
    rows: rows.map(({ keys, events, entries, firstAtMs, lastAtMs }) => ({
      ...Object.fromEntries(by.map((key, place) => [key, keys[place] ?? ''])),
      events,
      entries,
      first_at: firstAtMs === null ? null : toIso(firstAtMs),
      last_at: lastAtMs === null ? null : toIso(lastAtMs),
    })),
    rows_left_out: rowsLeftOut,
    next_cursor: null,
  };
}
