import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import { reportRange, type AskedRange, type ReportRange } from '../../reports/domain/report-range.js';
import { UTC } from '../../reports/domain/zone.js';
import type { FetchSuspicious, SuspiciousQuery, SuspiciousRows } from '../clients/suspicious.js';

/** A request for suspicious events. */
export interface SuspiciousRequest extends AskedRange, Omit<SuspiciousQuery, 'fromMs' | 'toMs'> {}

/** Suspicious events with the range that they cover. */
export interface SuspiciousReport extends ReportRange, SuspiciousRows {
  readonly by: SuspiciousQuery['by'];
}

/**
 * Counts suspicious events. The range is that of a report in UTC. Error `invalid_argument`: it is empty.
 * Contract: docs/contract/fraud-rules.md#suspicious-event-log.
 */
export type ListSuspiciousEvents = (request: SuspiciousRequest) => Promise<SuspiciousReport>;

/** Makes {@link ListSuspiciousEvents}. */
export function makeListSuspiciousEvents(fetch: FetchSuspicious, clock: Clock): ListSuspiciousEvents {
  return async ({ from, to, by, rule, app }) => {
    const range = reportRange({ from, to }, UTC, clock.now());
    if (range === null) {
      throw appError(
        'invalid_argument',
        'The report of suspicious events is refused: its range is empty. It must begin before it ends.',
      );
    }
    return { by, ...range, ...(await fetch({ by, ...range, rule, app })) };
  };
}
