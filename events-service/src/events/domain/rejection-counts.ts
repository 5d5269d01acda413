import {
  hourOf,
  type AdFormat,
  type AdvertiserId,
  type AppId,
  type CampaignId,
  type CreativeId,
  type ImpressionClaims,
  type PlacementCode,
  type PublisherId,
} from '@placard/service-kit/pure';
import type { RejectionReason } from './event.js';

/** Rejections of one hour with equal values in every dimension of a report. Values that the token does not hold are empty. */
export interface RejectionCount {
  /** Hours since 1970. */
  readonly hour: number;
  readonly publisherId: PublisherId | '';
  readonly appId: AppId | '';
  readonly placement: PlacementCode | '';
  readonly format: AdFormat | '';
  readonly country: string;
  readonly advertiserId: AdvertiserId | '';
  readonly campaignId: CampaignId | '';
  readonly creativeId: CreativeId | '';
  readonly reason: RejectionReason;
  readonly rejections: number;
}

/** Most different counts between two flushes. Further rejections of new kinds are dropped and counted as dropped. */
export const REJECTION_KINDS_MAX = 10_000;

/** Collects rejections between two flushes. Contract: docs/contract/reports.md#rejected. */
export class RejectionCounts {
  #counts = new Map<string, RejectionCount>();

  /**
   * Counts one rejection, unless it is test traffic. False: the bound was reached and the rejection was dropped.
   */
  add(reason: RejectionReason, claims: ImpressionClaims | null, atMs: number): boolean {
    if (claims?.isTest === true) return true;
    const one = toCount(reason, claims, atMs);
    const key = Object.values(one).join('\n');
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= REJECTION_KINDS_MAX) return false;
    this.#counts.set(key, known === undefined ? one : { ...known, rejections: known.rejections + 1 });
    return true;
  }

  /** The counts since the last call. */
  take(): readonly RejectionCount[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    return taken;
  }
}

function toCount(reason: RejectionReason, claims: ImpressionClaims | null, atMs: number): RejectionCount {
  return {
    hour: hourOf(atMs),
    publisherId: claims?.publisherId ?? '',
    appId: claims?.appId ?? '',
    placement: claims?.placement ?? '',
    format: claims?.format ?? '',
    country: claims?.country ?? '',
    advertiserId: claims?.advertiserId ?? '',
    campaignId: claims?.campaignId ?? '',
    creativeId: claims?.creativeId ?? '',
    reason,
    rejections: 1,
  };
}
