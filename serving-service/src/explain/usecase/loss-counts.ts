import { makeBoundedMap } from '@placard/service-kit/background';
import { hourOf, type CampaignId, type SelectionStep } from '@placard/service-kit/pure';
import type { LossCount } from '../../clients/spend-client.js';

/** Most rows in memory. A loss that needs another one is dropped. */
export const LOSS_ROWS_MAX = 500_000;
/** Most winners that are named for one campaign in an hour. Further ones are counted without a name. */
export const RIVALS_MAX = 16;
/** Campaigns whose named winners are remembered. */
const RIVALLED_CAMPAIGNS_MAX = 10_000;

/** A campaign that lost a request. */
export interface Loss {
  readonly atMs: number;
  readonly campaignId: CampaignId;
  readonly step: SelectionStep;
  /** The winner that outbid it. Null at every other step. */
  readonly rival: CampaignId | null;
}

type Changing<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/** The rows of one campaign in one hour, by step, and for `outbid` by winner. */
type CampaignRows = Map<SelectionStep | CampaignId, Changing<LossCount>>;

/** Counts lost requests by hour, campaign and step until they are sent. */
export class LossCounts {
  readonly #onDropped: () => void;
  #hour = 0;
  /** Rows of the current hour. */
  readonly #rows = new Map<CampaignId, CampaignRows>();
  /** Rows of earlier hours. */
  #past: LossCount[] = [];
  #size = 0;
  /** Winners that are named in the current hour. */
  readonly #rivals = makeBoundedMap<CampaignId, Set<CampaignId>>(RIVALLED_CAMPAIGNS_MAX);

  constructor(onDropped: () => void = () => undefined) {
    this.#onDropped = onDropped;
  }

  /** Rows that were not taken. */
  get size(): number {
    return this.#size;
  }

  /** Counts one looked-at request that stands for `requests` live requests. */
  add({ atMs, campaignId, step, rival }: Loss, requests: number): void {
    this.#moveTo(hourOf(atMs));
    const named = rival !== null && this.#isNamed(campaignId, rival) ? rival : null;
    let rows = this.#rows.get(campaignId);
    if (rows === undefined)
      this.#rows.set(campaignId, (rows = new Map<SelectionStep | CampaignId, Changing<LossCount>>()));
    const row = rows.get(named ?? step);
    if (row !== undefined) {
      row.requests += requests;
      row.samples += 1;
    } else if (this.#size < LOSS_ROWS_MAX) {
      this.#size += 1;
      rows.set(named ?? step, { hour: this.#hour, campaignId, step, rival: named, requests, samples: 1 });
    } else this.#onDropped();
  }

  /** Takes about `countMax` rows: whole campaigns, those that have waited longest. */
  take(countMax: number): LossCount[] {
    const taken = this.#past.splice(0, countMax);
    for (const [campaignId, rows] of this.#rows) {
      if (taken.length + rows.size > countMax) break;
      this.#rows.delete(campaignId);
      taken.push(...rows.values());
    }
    this.#size -= taken.length;
    return taken;
  }

  /** Begins an hour. A request of the hour before that comes late begins that hour again. */
  #moveTo(hour: number): void {
    if (hour === this.#hour) return;
    for (const rows of this.#rows.values()) this.#past.push(...rows.values());
    this.#rows.clear();
    this.#rivals.clear();
    this.#hour = hour;
  }

  #isNamed(campaignId: CampaignId, rival: CampaignId): boolean {
    let rivals = this.#rivals.get(campaignId);
    if (rivals === undefined) this.#rivals.set(campaignId, (rivals = new Set()));
    if (rivals.size < RIVALS_MAX) rivals.add(rival);
    return rivals.has(rival);
  }
}
