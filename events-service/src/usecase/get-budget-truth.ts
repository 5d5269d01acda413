import { dayOf, type Clock } from '@placard/service-kit/pure';
import type { CampaignSpend, OpenMinute, SpendStore } from '../store/spend.js';

/** What a campaign has spent. */
export interface CampaignTruth {
  readonly campaignId: string;
  readonly acceptedNanos: bigint;
  /** Of today and yesterday. */
  readonly days: readonly CampaignSpend[];
}

/** What budget counters must hold. */
export interface BudgetTruth {
  readonly advertiserAcceptedNanos: bigint;
  readonly openMinutes: readonly OpenMinute[];
  /** Those that were asked for, in that order. */
  readonly campaigns: readonly CampaignTruth[];
}

/** The truth about an advertiser's spend at one moment. Error `unavailable`. */
export type GetBudgetTruth = (advertiserId: string, campaignIds: readonly string[]) => Promise<BudgetTruth>;

/** Makes {@link GetBudgetTruth}. */
export function makeGetBudgetTruth(store: Pick<SpendStore, 'advertiserSpend'>, clock: Clock): GetBudgetTruth {
  return async (advertiserId, campaignIds) => {
    const { campaignDays, openMinutes } = await store.advertiserSpend(advertiserId);
    const yesterday = dayOf(clock.now()) - 1;
    return {
      advertiserAcceptedNanos: sumOf(campaignDays),
      openMinutes,
      campaigns: campaignIds.map((campaignId) => {
        const days = campaignDays.filter((spend) => spend.campaignId === campaignId);
        return {
          campaignId,
          acceptedNanos: sumOf(days),
          days: days.filter((spend) => spend.day >= yesterday),
        };
      }),
    };
  };
}

function sumOf(days: readonly CampaignSpend[]): bigint {
  return days.reduce((sum, spend) => sum + spend.spendNanos, 0n);
}
