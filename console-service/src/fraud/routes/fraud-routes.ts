import { toIso } from '@placard/service-kit/pure';
import { isoOrNull } from '../../domain/iso-or-null.js';
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
      first_at: isoOrNull(firstAtMs),
      last_at: isoOrNull(lastAtMs),
    })),
    rows_left_out: rowsLeftOut,
    next_cursor: null,
  };
}
