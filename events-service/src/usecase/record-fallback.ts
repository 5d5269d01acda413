import { appError, type Tokens } from '@placard/service-kit';
import {
  asPlacementCode,
  makeRequestId,
  type App,
  type CatalogReader,
  type Clock,
  type Random,
  type SessionClaims,
} from '@placard/service-kit/pure';
import type { EventRow } from '../domain/event-row.js';
import { toFallbackRow, type FallbackReason } from '../domain/fallback.js';
import type { Groups } from './groups.js';

/** A fallback as it came over the wire. */
export interface FallbackReport {
  readonly sessionToken: string;
  readonly placement: string;
  readonly reason: FallbackReason;
}

/**
 * Records that a client fell back. Errors: `invalid_session`, `session_expired`, `invalid_app_key`,
 * `placement_not_found`; `unavailable` when it could not be stored. Rulings: "Order of checks" (fallback).
 */
export type RecordFallback = (report: FallbackReport) => Promise<void>;

/** What recording a fallback needs. */
export interface RecordFallbackParts {
  readonly tokens: Pick<Tokens<SessionClaims>, 'open'>;
  readonly catalog: Pick<CatalogReader, 'version' | 'app' | 'placement'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly groups: Pick<Groups<EventRow, 'stored'>, 'add'>;
}

/** Makes {@link RecordFallback}. */
export function makeRecordFallback({
  tokens,
  catalog,
  clock,
  random,
  groups,
}: RecordFallbackParts): RecordFallback {
  return async (report) => {
    const arrivedAtMs = clock.now();
    const session = await tokens.open(report.sessionToken);
    if (session === null)
      throw appError('invalid_session', 'The session token is not valid. Initialize again.');
    if (arrivedAtMs >= session.expiresAtMs)
      throw appError('session_expired', 'The session has expired. Initialize again.');
    const app = appOf(catalog, session);
    const placement = catalog.placement(app.id, asPlacementCode(report.placement));
    if (placement === undefined)
      throw appError('placement_not_found', 'The app has no placement with this code.');
    if (session.isTest) return;
    const id = makeRequestId(arrivedAtMs, random);
    await groups.add(toFallbackRow({ id, session, app, placement, reason: report.reason, arrivedAtMs }));
  };
}

function appOf(catalog: Pick<CatalogReader, 'version' | 'app'>, session: SessionClaims): App {
  // Before the first load no app is known, which says nothing about this one.
  if (catalog.version === 0) throw appError('unavailable', 'The catalog is not loaded yet.');
  const app = catalog.app(session.appId);
  if (app === undefined) throw appError('invalid_app_key', 'The app of this session is no longer known.');
  return app;
}
