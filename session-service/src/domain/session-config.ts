import type {
  App,
  FallbackProvider,
  FrequencyCap,
  Global,
  Placement,
  Publisher,
} from '@placard/service-kit/pure';
import type { AdFormat, PlacementCode } from '@placard/service-kit/pure';

/** The configuration of an app, as a session gets it. Contract: docs/contract/sdk-api.md#config. */
export interface SessionConfig {
  readonly isServingEnabled: boolean;
  /** 100..5000. */
  readonly requestTimeoutMs: number;
  readonly isFallbackEnabled: boolean;
  /** The test mode of the request. */
  readonly isTestMode: boolean;
  readonly configTtlSeconds: number;
}

/** The configuration of one placement, as a session gets it. Contract: docs/contract/sdk-api.md#placement-config. */
export interface PlacementConfig {
  readonly code: PlacementCode;
  readonly format: AdFormat;
  readonly isServiceEnabled: boolean;
  readonly fallbackProvider: FallbackProvider;
  /** Null: the publisher has no ad unit at the partner network. */
  readonly partnerAdUnitId: string | null;
  /** 100..5000. */
  readonly requestTimeoutMs: number;
  /** Null: no cap. */
  readonly frequencyCap: FrequencyCap | null;
  /** At least 30. */
  readonly bannerRefreshSeconds: number;
}

/** The objects whose switches apply to an app. */
export interface AppOwners {
  readonly global: Global;
  /** Undefined: the publisher is not in the catalog, and nothing is served. */
  readonly publisher: Publisher | undefined;
}

/**
 * The configuration of an app's session. Contract: docs/contract/sdk-api.md#config,
 * docs/contract/sessions-and-switches.md#kill-switch.
 */
export function toSessionConfig(app: App, owners: AppOwners, isTestMode: boolean): SessionConfig {
  return {
    isServingEnabled: isServingEnabled(app, owners, isTestMode),
    requestTimeoutMs: app.requestTimeoutMs,
    isFallbackEnabled: app.isFallbackEnabled,
    isTestMode,
    configTtlSeconds: app.configTtlSeconds,
  };
}

/**
 * Kill switches and the block apply in test mode too. A publisher that is not approved still gets test ads.
 * Contract: docs/contract/sessions-and-switches.md#publisher-not-approved,
 * docs/contract/sessions-and-switches.md#kill-switch.
 */
function isServingEnabled(app: App, { global, publisher }: AppOwners, isTestMode: boolean): boolean {
  if (publisher === undefined) return false;
  const isSwitchedOn = global.isServingEnabled && publisher.isServingEnabled && app.isServingEnabled;
  return isSwitchedOn && !app.isBlocked && (publisher.isApproved || isTestMode);
}

/**
 * The configuration of one of the app's placements. Contract: docs/contract/sdk-api.md#placement-config,
 * docs/contract/sessions-and-switches.md#kill-switch-and-placements.
 */
export function toPlacementConfig(app: App, placement: Placement): PlacementConfig {
  return {
    code: placement.code,
    format: placement.format,
    isServiceEnabled: isServiceEnabled(app, placement),
    fallbackProvider: placement.fallbackProvider,
    partnerAdUnitId: placement.partnerAdUnitId,
    requestTimeoutMs: placement.requestTimeoutMs,
    frequencyCap: placement.frequencyCap,
    bannerRefreshSeconds: placement.bannerRefreshSeconds,
  };
}

/** The flag shows the state of the placement and the block of the app. A kill switch does not change it. */
function isServiceEnabled(app: App, placement: Placement): boolean {
  return !placement.isPaused && placement.isEnabled && !placement.isDisabledByAdmin && !app.isBlocked;
}
