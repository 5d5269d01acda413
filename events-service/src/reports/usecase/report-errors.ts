import type { AppKey, CatalogReader, IntegrationError } from '@placard/service-kit/pure';
import { requireReport } from './require-report.js';
import type { AppErrorCount, CountStore, ReportName } from '../store/counts.js';

/** Most lines of one report of errors. */
export const ERROR_LINES_MAX = 10_000;

/** Integration errors of one hour and app key. */
export interface ErrorCount {
  /** Hours since 1970. */
  readonly hour: number;
  /** Null: the request named none. */
  readonly appKey: AppKey | null;
  readonly error: IntegrationError;
  readonly count: bigint;
}

/**
 * Applies the errors that a gateway has answered, once per reporter and sequence. Errors of an app key that is not in the
 * catalog count without an app, so that invented keys add no rows. Errors: `invalid_argument`, `unavailable` (send the same
 * report again). Contract: docs/contract/reports.md#errors.
 */
export type ReportErrors = (name: ReportName, errors: readonly ErrorCount[]) => Promise<void>;

/** Makes {@link ReportErrors}. */
export function makeReportErrors(
  store: Pick<CountStore, 'addErrors'>,
  catalog: Pick<CatalogReader, 'appByKey'>,
): ReportErrors {
  const toCount = ({ hour, appKey, error, count }: ErrorCount): AppErrorCount => {
    const app = appKey === null ? undefined : catalog.appByKey(appKey);
    return { hour, publisherId: app?.publisherId ?? '', appId: app?.id ?? '', error, count };
  };
  return async (name, errors) => {
    requireReport(name, errors.length, ERROR_LINES_MAX);
    await store.addErrors(name, errors.map(toCount));
  };
}
