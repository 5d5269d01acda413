import { adFormatToWire, capPeriodToWire, fallbackProviderToWire } from '@placard/service-kit/wire';
import type {
  Config,
  PlacementConfig as WirePlacement,
  StartSessionResponse,
} from '@placard/protos/session/v1/session.js';
import type { PlacementConfig, SessionConfig } from '../domain/session-config.js';
import type { Session } from '../usecase/start-session.js';

/** Encodes a started session. */
export function toStartSessionResponse(session: Session): StartSessionResponse {
  return {
    sessionToken: session.token,
    sessionExpiresAtMs: BigInt(session.expiresAtMs),
    config: toConfig(session.config),
    placements: session.placements.map(toPlacement),
  };
}

function toConfig(config: SessionConfig): Config {
  return {
    servingEnabled: config.isServingEnabled,
    requestTimeoutMs: config.requestTimeoutMs,
    fallbackEnabled: config.isFallbackEnabled,
    testMode: config.isTestMode,
    configTtlSeconds: config.configTtlSeconds,
  };
}

function toPlacement(placement: PlacementConfig): WirePlacement {
  const { frequencyCap } = placement;
  return {
    code: placement.code,
    format: adFormatToWire(placement.format),
    serviceEnabled: placement.isServiceEnabled,
    fallbackProvider: fallbackProviderToWire(placement.fallbackProvider),
    partnerAdUnitId: placement.partnerAdUnitId ?? undefined,
    requestTimeoutMs: placement.requestTimeoutMs,
    frequencyCap:
      frequencyCap === null
        ? undefined
        : { count: frequencyCap.count, period: capPeriodToWire(frequencyCap.period) },
    bannerRefreshSeconds: placement.bannerRefreshSeconds,
  };
}
