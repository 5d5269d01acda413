import { asCampaignId, minuteOf, type Nanos } from '@placard/service-kit/pure';
import type { Lease, LeaseReport } from '../../src/budgets/domain/lease.js';
import { FIRST_ADS, Wallet } from '../../src/budgets/domain/wallet.js';
import { toIndexed, type IndexedCampaign } from '../../src/selection/domain/indexed-campaign.js';
import { aCampaign, aCatalog, anAdvertiser, NOON } from './world.js';

/** The campaign of the wallet, the price of one of its ads, the minute of noon, and what is asked for at first. */
export const ID = asCampaignId('cmp_spring');
export const COST = 2_500_000n;
export const MINUTE = minuteOf(NOON);
export const SLICE = BigInt(FIRST_ADS) * COST;

/** The campaign as the index has it, with changes. */
export function entryOf(
  changes: Parameters<typeof aCampaign>[0] = {},
  fundedNanos = 10n ** 12n,
): IndexedCampaign {
  const campaign = aCampaign(changes);
  const catalog = aCatalog({ advertisers: [anAdvertiser({ fundedNanos })], campaigns: [campaign] });
  return toIndexed(catalog, campaign.id) as IndexedCampaign;
}

/** A report as {@link WalletBed.reported} answers it: its minute counts from noon's. */
export type SeenReport = Omit<LeaseReport, 'campaignId'>;

/** A report of so many ads that were filled and returned. */
export function aReport(filled: bigint, returned: bigint, isEnded = false, minute = 0): SeenReport {
  return { minute, filledNanos: filled * COST, returnedNanos: returned * COST, isEnded };
}

/** A wallet, and what exchanges and requests do with it. */
export interface WalletBed {
  readonly wallet: Wallet;
  readonly entry: IndexedCampaign;
  /** Makes a want as an exchange does. The answer grants this much more. */
  readonly granted: (nanos: Nanos, given?: { minute?: number; nowMs?: number; isScarce?: boolean }) => Lease;
  /** Takes the price of one ad. */
  readonly take: (nowMs?: number, minute?: number) => Lease | null;
  /** The reports, which are then acknowledged. */
  readonly reported: () => SeenReport[];
}

/** Opens an empty wallet. */
export function openWallet(): WalletBed {
  const wallet = new Wallet();
  const entry = entryOf();
  return {
    wallet,
    entry,
    granted(nanos, { minute = MINUTE, nowMs = NOON, isScarce = false } = {}) {
      const { lease } = wallet.want({ entry, minute }, 0, nowMs);
      const grantedNanos = lease.grantedNanos + nanos;
      wallet.noteAnswer({ lease, entry }, { verdict: 'granted', grantedNanos, isScarce }, nowMs);
      return lease;
    },
    take: (nowMs = NOON, minute = MINUTE) => wallet.take(ID, minute, COST, nowMs),
    reported() {
      const reports = wallet.reports(100, true);
      for (const report of reports) wallet.acknowledge(report);
      return reports.map(({ report: { minute, filledNanos, returnedNanos, isEnded } }) => ({
        minute: minute - MINUTE,
        filledNanos,
        returnedNanos,
        isEnded,
      }));
    },
  };
}
