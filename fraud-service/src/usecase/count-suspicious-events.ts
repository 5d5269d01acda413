import { appError } from '@placard/service-kit';
import { HOUR_MS, REJECTION_REASONS } from '@placard/service-kit/pure';
import { fraudRules } from '../domain/fraud-rules.js';
import {
  areEventsCounted,
  joinSuspicious,
  type SuspiciousQuery,
  type SuspiciousRow,
} from '../domain/suspicious-report.js';
import type { SuspiciousEvents } from '../store/suspicious-events.js';

/** Most rows of one report. */
export const SUSPICIOUS_ROWS_MAX = 1_000;

/** A report of suspicious events: the rows with most events, or with most entries where events are not counted. */
export interface SuspiciousReport {
  readonly rows: readonly SuspiciousRow[];
  /** Rows beyond {@link SUSPICIOUS_ROWS_MAX}. */
  readonly rowsLeftOut: number;
}

/** What an entry of the log can have as its rule. */
const RULES: readonly string[] = [
  ...fraudRules.map(({ code }) => code),
  ...REJECTION_REASONS,
  'package_mismatch',
];

/**
 * Counts suspicious events. The range is widened to whole hours. An unknown rule is refused when it has no rows: another
 * release may know it. Errors: `invalid_argument`, `unavailable`.
 * Contract: docs/contract/fraud-rules.md#suspicious-event-log.
 */
export type CountSuspiciousEvents = (query: SuspiciousQuery) => Promise<SuspiciousReport>;

/** Makes {@link CountSuspiciousEvents}. */
export function makeCountSuspiciousEvents(
  log: Pick<SuspiciousEvents, 'countEntries' | 'countEvents'>,
): CountSuspiciousEvents {
  return async (asked) => {
    if (new Set(asked.by).size < asked.by.length)
      throw appError('invalid_argument', 'Suspicious events can be split by each key only once.');
    if (asked.toMs <= asked.fromMs)
      throw appError('invalid_argument', 'The range of suspicious events must begin before it ends.');
    const query = {
      ...asked,
      fromMs: Math.floor(asked.fromMs / HOUR_MS) * HOUR_MS,
      toMs: Math.ceil(asked.toMs / HOUR_MS) * HOUR_MS,
    };
    const [{ entries, rowCount }, events] = await Promise.all([
      log.countEntries(query, SUSPICIOUS_ROWS_MAX),
      areEventsCounted(query.by) ? log.countEvents(query) : null,
    ]);
    const rows = joinSuspicious(entries, events);
    if (rows.length === 0 && query.rule !== null && !RULES.includes(query.rule))
      throw appError(
        'invalid_argument',
        `There is no fraud rule ${query.rule}. Choose from ${RULES.join(', ')}.`,
      );
    return {
      rows: rows.slice(0, SUSPICIOUS_ROWS_MAX),
      rowsLeftOut: Math.max(rowCount, rows.length) - Math.min(rows.length, SUSPICIOUS_ROWS_MAX),
    };
  };
}
