import type { AdFormat, AppId, FallbackReason, PlacementCode, PublisherId } from '@placard/service-kit/pure';

export type { FallbackReason };

/** A fallback that has passed all checks. It is telemetry: only the keys of reports are kept. */
export interface Fallback {
  /** Hours since 1970, of its arrival. */
  readonly hour: number;
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  /** Country of the request itself, ISO 3166-1 alpha-2; empty: not known. */
  readonly country: string;
  readonly reason: FallbackReason;
}
