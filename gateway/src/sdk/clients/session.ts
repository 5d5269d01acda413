import { appError, openGrpcClient, type CallContext, type Scope } from '@placard/service-kit';
import { toIso } from '@placard/service-kit/pure';
import {
  SessionServiceService,
  type PlacementConfig as WirePlacement,
  type StartSessionResponse,
} from '@placard/protos/session/v1/session.js';
import { presentText, type InitializeBody, type PlacementConfig, type Session } from '../domain/bodies.js';
import { PEER_BUDGET_MS, type PeerOptions } from './peer.js';
import { nameOf } from './wire-names.js';

/** session-service as functions. */
export interface SessionClient {
  /** Errors: `invalid_app_key`, `package_mismatch`, `app_not_approved`; internal ones when the peer is away. */
  startSession(body: InitializeBody, call: CallContext): Promise<Session>;
}

/** Opens the client, whether or not session-service is up. */
export function openSessionClient(scope: Scope, options: PeerOptions): SessionClient {
  const client = openGrpcClient(scope, SessionServiceService, { ...options, budgetMs: PEER_BUDGET_MS });
  return {
    async startSession(body, call) {
      const request = {
        appKey: body.app_key,
        packageName: body.package_name,
        sdkVersion: presentText(body.sdk_version),
        appVersion: presentText(body.app_version),
        osVersion: presentText(body.os_version),
        testMode: body.test_mode ?? false,
      };
      return toSession(await client.startSession(request, call));
    },
  };
}

function toSession({ sessionToken, sessionExpiresAtMs, config, placements }: StartSessionResponse): Session {
  if (config === undefined) throw appError('server_error', 'session-service sent no configuration.');
  return {
    session_token: sessionToken,
    session_expires_at: toIso(Number(sessionExpiresAtMs)),
    config: {
      serving_enabled: config.servingEnabled,
      request_timeout_ms: config.requestTimeoutMs,
      fallback_enabled: config.fallbackEnabled,
      test_mode: config.testMode,
      config_ttl_seconds: config.configTtlSeconds,
    },
    placements: placements.map(toPlacement),
  };
}

function toPlacement(placement: WirePlacement): PlacementConfig {
  const cap = placement.frequencyCap;
  return {
    code: placement.code,
    format: nameOf.format(placement.format),
    service_enabled: placement.serviceEnabled,
    fallback_provider: nameOf.provider(placement.fallbackProvider),
    partner_ad_unit_id: placement.partnerAdUnitId ?? null,
    request_timeout_ms: placement.requestTimeoutMs,
    frequency_cap_count: cap?.count ?? null,
    frequency_cap_period: cap === undefined ? null : nameOf.period(cap.period),
    banner_refresh_seconds: placement.bannerRefreshSeconds,
  };
}
