import { appError } from '@placard/service-kit';
import { toIso } from '@placard/service-kit/pure';
import type {
  PlacementConfig as WirePlacement,
  StartSessionRequest,
  StartSessionResponse,
} from '@placard/protos/session/v1/session.js';
import { presentText, type InitializeBody, type PlacementConfig, type Session } from '../domain/bodies.js';
import { nameOf } from './wire.js';

/** Encodes a valid body. */
export function initializeToWire(body: InitializeBody): StartSessionRequest {
  return {
    appKey: body.app_key,
    packageName: body.package_name,
    sdkVersion: presentText(body.sdk_version),
    appVersion: presentText(body.app_version),
    osVersion: presentText(body.os_version),
    testMode: body.test_mode ?? false,
  };
}

/**
 * Decodes a session. Error `server_error` when it has no configuration or lacks a value. Placements with a format of a
 * newer release are left out.
 */
export function sessionFromWire(response: StartSessionResponse): Session {
  const { sessionToken, sessionExpiresAtMs, config, placements } = response;
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
    placements: placements.map(placementFromWire).filter((placement) => placement !== null),
  };
}

/** Null: the placement has a format of a newer release. */
function placementFromWire(placement: WirePlacement): PlacementConfig | null {
  const format = nameOf.format(placement.format);
  if (format === null) return null;
  const cap = placement.frequencyCap;
  const period = cap === undefined ? null : nameOf.period(cap.period);
  return {
    code: placement.code,
    format,
    service_enabled: placement.serviceEnabled,
    fallback_provider: nameOf.provider(placement.fallbackProvider),
    partner_ad_unit_id: placement.partnerAdUnitId ?? null,
    request_timeout_ms: placement.requestTimeoutMs,
    // A client cannot count by a period that it does not know. The service counts anyway.
    frequency_cap_count: period === null ? null : (cap?.count ?? null),
    frequency_cap_period: period,
    banner_refresh_seconds: placement.bannerRefreshSeconds,
  };
}
