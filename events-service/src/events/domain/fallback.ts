import type { AdFormat, FallbackReason, PublisherId, AppId } from '@placard/service-kit/pure';

export type { FallbackReason };

/** A fallback that has passed all checks: telemetry, so no more is kept of it than what reports tell apart. */
export interface Fallback {
  /** Hours since 1970, of its arrival. */
  readonly hour: number;
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: string;
  readonly format: AdFormat;
  /** Of the request itself, ISO 3166-1 alpha-2; empty: not known. */
  readonly country: string;
  readonly reason: FallbackReason;
}
