import type { OperationRequest, Refusal, RoutesOf } from '../../manage/domain/operations.js';
import type { AskedRange } from '../domain/report-range.js';
import { viewOf } from '../domain/tenant-view.js';
import { parseWhen } from '../domain/when.js';
import type { GetReport, ReportFilter } from '../usecase/get-report.js';
import { toReport, UNKNOWN_COUNTRY } from './report-json.js';

/** The keys by which a report is filtered. Contract: docs/contract/reports.md#filters. */
export const FILTER_KEYS = [
  'publisher',
  'app',
  'placement',
  'format',
  'country',
  'advertiser',
  'campaign',
] as const;

/** What the routes need. */
export interface ReportRoutesDeps {
  readonly getReport: GetReport;
  /** ISO 4217, of all amounts. */
  readonly currency: string;
}

/** Reports. */
export function reportRoutes({ getReport, currency }: ReportRoutesDeps): RoutesOf<'getReport'> {
  return {
    getReport: async ({ tenant, query }) => {
      const range = readRange(query, 'The report');
      if ('refusal' in range) return range;
      const { by = [], zone = 'UTC', compare = false } = query;
      const report = await getReport({
        by,
        ...range,
        filters: filtersOf(query),
        zone,
        isCompared: compare,
      });
      return { body: toReport(viewOf(report, tenant?.kind ?? null), currency) };
    },
  };
}

function filtersOf(query: OperationRequest<'getReport'>['query']): readonly ReportFilter[] {
  return FILTER_KEYS.flatMap((key) => {
    const values: readonly string[] | undefined = query[key];
    if (values === undefined) return [];
    return [
      { key, values: values.map((value) => (value === UNKNOWN_COUNTRY && key === 'country' ? '' : value)) },
    ];
  });
}

const DATES =
  'must be a day such as 2026-01-31 or an instant such as 2026-01-31T10:00:00Z, from 1970 to 9999';

/** The ends of a range as an operator wrote them. `asked` is what is refused when one cannot be read, such as `The report`. */
export function readRange(
  given: { readonly from?: string; readonly to?: string },
  asked: string,
): AskedRange | { readonly refusal: Refusal } {
  const [from, to] = [given.from, given.to].map((text) => (text === undefined ? null : parseWhen(text)));
  const errors = (['from', 'to'] as const)
    .filter((field) => given[field] !== undefined && parseWhen(given[field]) === null)
    .map((field) => ({ field, value: given[field], detail: DATES }));
  if (errors.length === 0) return { from: from ?? null, to: to ?? null };
  const fields = errors.map(({ field }) => field).join(' and ');
  return { refusal: { detail: `${asked} is refused: ${fields} ${DATES}.`, errors } };
}
