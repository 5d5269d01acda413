import { appError } from '@placard/service-kit';
import {
  makeSessionId,
  type App,
  type AppKey,
  type CatalogReader,
  type Clock,
  type Random,
  type SessionClaims,
} from '@placard/service-kit/pure';
import type { PackageMismatches } from '../clients/package-mismatches.js';
import { refusalOf, type Claimed, type Refusal } from '../domain/refusal.js';
import {
  toPlacementConfig,
  toSessionConfig,
  type PlacementConfig,
  type SessionConfig,
} from '../domain/session-config.js';

/** The request of a client for a session. */
export interface SessionRequest extends Claimed {
  /** As the client sent it, in any form. */
  readonly appKey: AppKey;
}

/** A started session. Contract: docs/contract/sdk-api.md#session. */
export interface Session {
  /** Opaque, at most 2,048 characters. */
  readonly token: string;
  /** Epoch ms, exactly one session lifetime after the start. */
  readonly expiresAtMs: number;
  readonly config: SessionConfig;
  /** The app's placements ordered by code. */
  readonly placements: readonly PlacementConfig[];
}

/** Dependencies of {@link StartSession}. */
export interface StartSessionParts {
  readonly catalog: CatalogReader;
  /** False: no catalog was ever loaded, so an unknown app key may exist. */
  readonly isCatalogLoaded: () => boolean;
  readonly seal: (claims: SessionClaims) => string;
  readonly mismatches: PackageMismatches;
  readonly clock: Clock;
  readonly random: Random;
  /** Lifetime of a session in milliseconds. */
  readonly sessionTtlMs: number;
  /** Called with each start, for the metrics. */
  readonly onOutcome: (outcome: Refusal | 'started') => void;
}

/**
 * Starts a session. Errors, in the order of the contract: `unavailable` while no catalog is loaded, `invalid_app_key`,
 * `package_mismatch` (reported as suspicious), `app_not_approved`.
 * Contract: docs/contract/sdk-api.md#post-sdkinitialize, docs/contract/order-of-checks.md#initialize.
 */
export type StartSession = (request: SessionRequest) => Session;

const REFUSAL_TEXTS: Readonly<Record<Refusal, string>> = {
  invalid_app_key: 'No app has this app key.',
  package_mismatch: 'The app is registered with another package name.',
  app_not_approved: 'The app is not approved yet; until then only test mode works.',
};

/** Makes {@link StartSession}. */
export function makeStartSession(parts: StartSessionParts): StartSession {
  const { catalog, clock, onOutcome } = parts;
  return (request) => {
    if (!parts.isCatalogLoaded()) throw appError('unavailable', 'The catalog is not loaded yet.');
    const nowMs = clock.now();
    const app = catalog.appByKey(request.appKey);
    const refusal = refusalOf(app, request);
    onOutcome(refusal ?? 'started');
    if (app !== undefined && refusal === 'package_mismatch') {
      parts.mismatches.report({ appId: app.id, atMs: nowMs });
    }
    if (app === undefined || refusal !== null) {
      const code = refusal ?? 'invalid_app_key';
      throw appError(code, REFUSAL_TEXTS[code]);
    }
    const owners = { global: catalog.global, publisher: catalog.publisher(app.publisherId) };
    const config = toSessionConfig(app, owners, request.isTestMode);
    const placements = catalog.placementsOf(app.id).map((placement) => toPlacementConfig(app, placement));
    const claims = makeClaims(app, request.isTestMode, nowMs, parts);
    return { token: parts.seal(claims), expiresAtMs: claims.expiresAtMs, config, placements };
  };
}

function makeClaims(app: App, isTest: boolean, nowMs: number, parts: StartSessionParts): SessionClaims {
  return {
    sessionId: makeSessionId(parts.random),
    appId: app.id,
    packageName: app.packageName,
    isTest,
    issuedAtMs: nowMs,
    expiresAtMs: nowMs + parts.sessionTtlMs,
  };
}
