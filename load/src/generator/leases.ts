import { randomBytes } from 'node:crypto';
import { GrpcClients, loadService } from './grpc-client.js';

/** Grant of a campaign in a minute: more than any load shows. */
const GRANTED_NANOS = 10n ** 15n;
const WANTS_MAX = 2_000;
const MINUTE_MS = 60_000;
const MINUTES_KEPT = 4;

/** A campaign whose ads are shown. */
export interface LeasedCampaign {
  readonly campaignId: string;
  readonly advertiserId: string;
  readonly costNanos: bigint;
}

/** Budget leases for ads that no serving-service has sold, so that events-service accepts their impressions. */
export class Leases {
  /** The replica run in the ads' tokens. */
  readonly run = randomBytes(8).toString('hex');
  readonly #clients: GrpcClients;
  readonly #campaigns: readonly LeasedCampaign[];
  readonly #adMs: number;
  readonly #minutes = new Map<number, Promise<void>>();

  /** `address` is that of events-service; `adMs` is the life of an ad. */
  constructor(address: string, campaigns: readonly LeasedCampaign[], adMs: number) {
    this.#clients = new GrpcClients(address, loadService('events', 'SpendService'), 1);
    this.#campaigns = campaigns;
    this.#adMs = adMs;
  }

  /** Resolves when there are leases for ads of all campaigns at that time; rejects when events-service refuses. */
  holdAt(atMs: number): Promise<void> {
    const minute = Math.floor(atMs / MINUTE_MS);
    const known = this.#minutes.get(minute);
    if (known !== undefined) return known;
    const granted = this.#grantAll(minute, atMs);
    this.#minutes.set(minute, granted);
    this.#minutes.delete(minute - MINUTES_KEPT);
    return granted;
  }

  close(): void {
    this.#clients.close();
  }

  async #grantAll(minute: number, atMs: number): Promise<void> {
    const exchange = this.#clients.method('ExchangeLeases');
    for (let at = 0; at < this.#campaigns.length; at += WANTS_MAX) {
      const wants = this.#campaigns.slice(at, at + WANTS_MAX).map((campaign) => ({
        advertiserId: campaign.advertiserId,
        campaignId: campaign.campaignId,
        minute: String(minute),
        costNanos: String(campaign.costNanos),
        grantedMaxNanos: String(GRANTED_NANOS),
        fundedNanos: String(2n ** 62n),
        expiresAtMs: String((minute + 1) * MINUTE_MS + this.#adMs),
      }));
      const { code } = await exchange({ run: this.run, atMs: String(atMs), wants });
      if (code !== null) throw new Error(`no budget lease could be had: ${code}`);
    }
  }
}
