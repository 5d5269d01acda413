import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import { reportRange, type AskedRange, type ReportRange } from '../../reports/domain/report-range.js';
import { UTC } from '../../reports/domain/zone.js';
import type { ReportObjects } from '../../reports/store/report-objects.js';
import { unknownIn } from '../../reports/usecase/unknown-objects.js';
import type { FetchSuspicious, SuspiciousQuery, SuspiciousRows } from '../clients/suspicious.js';

/** A request for suspicious events. */
export interface SuspiciousRequest extends AskedRange, Omit<SuspiciousQuery, 'fromMs' | 'toMs'> {}

/** Suspicious events with the range that they cover. */
export interface SuspiciousReport extends ReportRange, SuspiciousRows {
  readonly by: SuspiciousQuery['by'];
}

/**
 * Counts suspicious events. The range is that of a report in UTC. Error `invalid_argument`: it is empty, there is no such
 * rule, or the catalog never had the app.
 * Contract: docs/contract/fraud-rules.md#suspicious-event-log.
 */
export type ListSuspiciousEvents = (request: SuspiciousRequest) => Promise<SuspiciousReport>;

/** What {@link ListSuspiciousEvents} needs. */
export interface ListSuspiciousDeps {
  readonly fetchSuspicious: FetchSuspicious;
  readonly objects: Pick<ReportObjects, 'namesOf'>;
  readonly clock: Clock;
}

/** Makes {@link ListSuspiciousEvents}. */
export function makeListSuspiciousEvents({
  fetchSuspicious,
  objects,
  clock,
}: ListSuspiciousDeps): ListSuspiciousEvents {
  return async ({ from, to, by, rule, app }) => {
    const range = reportRange({ from, to }, UTC, clock.now());
    if (range === null) throw refused('its range is empty. It must begin before it ends.');
    const unknown = app === null ? null : await unknownIn(objects, [{ kind: 'app', id: app }]);
    if (unknown !== null) throw refused(unknown);
    return { by, ...range, ...(await fetchSuspicious({ by, ...range, rule, app })) };
  };
}

function refused(reason: string): Error {
  return appError('invalid_argument', `The report of suspicious events is refused: ${reason}`);
}
