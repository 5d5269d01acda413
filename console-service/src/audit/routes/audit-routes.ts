import { toIso } from '@placard/service-kit/pure';
import type { RoutesOf, Schemas } from '../../manage/domain/operations.js';
import { readRange } from '../../reports/routes/report-routes.js';
import { auditDetails, auditId, cursorOf, placeOf, type AuditRow } from '../domain/audit-row.js';
import type { ReadAudit } from '../usecase/read-audit.js';

/** Rows of an answer, when the request does not say. */
const ROWS_DEFAULT = 100;

/** The audit. */
export function auditRoutes(readAudit: ReadAudit): RoutesOf<'readAudit'> {
  return {
    readAudit: async ({ query }) => {
      const range = readRange(query, 'The audit');
      if ('refusal' in range) return range;
      const { rows, hasMore } = await readAudit({
        ...range,
        actor: query.actor ?? null,
        what: query.what ?? null,
        after: query.cursor === undefined ? null : placeOf(query.cursor),
        rowsMax: query.limit ?? ROWS_DEFAULT,
      });
      const last = hasMore ? rows.at(-1) : undefined;
      return { body: { rows: rows.map(toEntry), next_cursor: last === undefined ? null : cursorOf(last) } };
    },
  };
}

function toEntry(row: AuditRow): Schemas['AuditEntry'] {
  const { atMicros, actor, what, kind, subject, version } = row;
  return {
    id: auditId(row),
    at: toIso(Number(atMicros / 1_000n)),
    actor,
    what,
    kind,
    subject,
    version,
    details: auditDetails(row),
  };
}
