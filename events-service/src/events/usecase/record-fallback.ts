import { appError } from '@placard/service-kit';
import type { Tokens } from '@placard/service-kit/tokens';
import {
  hourOf,
  type App,
  type CatalogReader,
  type Clock,
  type PlacementCode,
  type SessionClaims,
} from '@placard/service-kit/pure';
import type { Fallback, FallbackReason } from '../domain/fallback.js';
import type { Groups } from './groups.js';

/** A fallback as a client sent it. */
export interface FallbackReport {
  readonly sessionToken: string;
  readonly placement: PlacementCode;
  readonly reason: FallbackReason;
  /** ISO 3166-1 alpha-2; null: not known. */
  readonly country: string | null;
}

/**
 * Counts a fallback and resolves when the count is durable. A repeated report counts again. Errors: `invalid_session`,
 * `session_expired`, `invalid_app_key`, `placement_not_found`; `unavailable` when it could not be counted.
 * Contract: docs/contract/order-of-checks.md#fallback.
 */
export type RecordFallback = (report: FallbackReport) => Promise<void>;

/** What {@link makeRecordFallback} needs. */
export interface RecordFallbackDeps {
  readonly tokens: Pick<Tokens<SessionClaims>, 'open'>;
  readonly catalog: Pick<CatalogReader, 'version' | 'app' | 'placement'>;
  readonly clock: Clock;
  readonly groups: Pick<Groups<Fallback, 'counted'>, 'add'>;
  readonly onCounted: (reason: FallbackReason) => void;
}

/** Makes {@link RecordFallback}. */
export function makeRecordFallback({
  tokens,
  catalog,
  clock,
  groups,
  onCounted,
}: RecordFallbackDeps): RecordFallback {
  return async (report) => {
    const arrivedAtMs = clock.now();
    const session = tokens.open(report.sessionToken);
    if (session === null)
      throw appError('invalid_session', 'The session token is not valid. Initialize again.');
    if (arrivedAtMs >= session.expiresAtMs)
      throw appError('session_expired', 'The session has expired. Initialize again.');
    const app = appOf(catalog, session);
    const placement = catalog.placement(app.id, report.placement);
    if (placement === undefined)
      throw appError('placement_not_found', 'The app has no placement with this code.');
    if (session.isTest) return;
    await groups.add({
      hour: hourOf(arrivedAtMs),
      publisherId: app.publisherId,
      appId: app.id,
      placement: placement.code,
      format: placement.format,
      country: report.country ?? '',
      reason: report.reason,
    });
    onCounted(report.reason);
  };
}

function appOf(catalog: Pick<CatalogReader, 'version' | 'app'>, session: SessionClaims): App {
  // Before the first load the catalog is empty, so a missing app is no evidence.
  if (catalog.version === 0) throw appError('unavailable', 'The catalog is not loaded yet.');
  const app = catalog.app(session.appId);
  if (app === undefined) throw appError('invalid_app_key', 'The app of this session is no longer known.');
  return app;
}
