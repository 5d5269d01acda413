import { appError } from '@placard/service-kit';
import { beginOf, endOf, type AskedRange } from '../../reports/domain/report-range.js';
import { UTC } from '../../reports/domain/zone.js';
import type { AuditPage, AuditRows, FetchAudit } from '../store/audit.js';

/** A request for a part of the audit. Its days are those of UTC. */
export interface AuditRequest extends AskedRange, Omit<AuditPage, 'fromMs' | 'toMs'> {}

/**
 * Reads who did what and when, newest first. Errors: `invalid_argument` (the range is empty), `unavailable`.
 * Contract: docs/contract/operator-interface.md#audit.
 */
export type ReadAudit = (request: AuditRequest) => Promise<AuditRows>;

/** Makes {@link ReadAudit}. */
export function makeReadAudit(fetchAudit: FetchAudit): ReadAudit {
  return async ({ from, to, ...page }) => {
    const fromMs = from === null ? null : beginOf(from, UTC);
    const toMs = to === null ? null : endOf(to, UTC);
    if (fromMs !== null && toMs !== null && fromMs >= toMs)
      throw appError(
        'invalid_argument',
        'The audit is refused: its range is empty. It must begin before it ends.',
      );
    return fetchAudit({ ...page, fromMs, toMs });
  };
}
