import { hourOf, MINUTE_MS, minuteOf, type AdFormat, type ImpressionClaims } from '@placard/service-kit/pure';
import type {
  CountPlace,
  FillCount,
  RequestCount,
  ServingBatch,
  SpendClient,
  TrafficCount,
} from '../../clients/spend-client.js';
import type { NoFillReason } from '../../domain/ad-request.js';

/** Most rows of one batch. */
export const BATCH_ROWS_MAX = 2_000;
/** Most rows in memory while events-service is unavailable. Further rows are dropped and counted as dropped. */
export const OPEN_ROWS_MAX = 100_000;

const HALF_HOUR_MS = 30 * MINUTE_MS;

/** The fields of a fill that reports need. */
export type CountedFill = Pick<ImpressionClaims, 'campaignId' | 'advertiserId' | 'creativeId' | 'filledAtMs'>;

type Changing<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/**
 * Counts live requests and fills and sends them to events-service in numbered batches. Each batch is sent until it is
 * acknowledged. Contract: docs/contract/reports.md#requests-fills-no-fills.
 */
export class ServingReport {
  readonly #spend: Pick<SpendClient, 'report'>;
  readonly #onDropped: () => void;
  readonly #requests = new Map<string, Changing<RequestCount>>();
  readonly #fills = new Map<string, Changing<FillCount>>();
  readonly #traffic = new Map<string, Changing<TrafficCount>>();
  /** Batches that have a number and are not acknowledged. While there is one, no new one is made. */
  readonly #unacknowledged: ServingBatch[] = [];
  #sequence = 0;
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | null = null;

  constructor(spend: Pick<SpendClient, 'report'>, onDropped: () => void = () => undefined) {
    this.#spend = spend;
    this.#onDropped = onDropped;
  }

  /** Rows that events-service has not acknowledged. */
  get waitingRows(): number {
    const sent = this.#unacknowledged.reduce(
      (sum, { requests, fills, traffic }) => sum + requests.length + fills.length + traffic.length,
      0,
    );
    return sent + this.#openRows;
  }

  /** Counts a request that reached a placement. Reason null: a fill. */
  countRequest(place: CountPlace, atMs: number, noFillReason: NoFillReason | null): void {
    const hour = hourOf(atMs);
    const key = `${hour}|${placeKey(place)}|${noFillReason ?? ''}`;
    const row = this.#requests.get(key);
    if (row !== undefined) row.count += 1;
    else this.#add(this.#requests, key, { ...place, hour, noFillReason, count: 1 });
  }

  /** Counts a fill by campaign and minute. */
  countFill(place: CountPlace, fill: CountedFill): void {
    const minute = minuteOf(fill.filledAtMs);
    const key = `${minute}|${placeKey(place)}|${fill.campaignId}|${fill.creativeId}`;
    const row = this.#fills.get(key);
    if (row !== undefined) row.count += 1;
    else {
      const { advertiserId, campaignId, creativeId } = fill;
      this.#add(this.#fills, key, { ...place, minute, advertiserId, campaignId, creativeId, count: 1 });
    }
  }

  /**
   * Counts a request with at least one campaign after targeting and caps. The day curves of traffic are learned from
   * these counts.
   */
  countTraffic(group: { readonly category: string | null; readonly format: AdFormat }, atMs: number): void {
    const { category, format } = group;
    const halfHour = Math.floor(atMs / HALF_HOUR_MS);
    const key = `${halfHour}|${format}|${category ?? ''}`;
    const row = this.#traffic.get(key);
    if (row !== undefined) row.count += 1;
    else this.#add(this.#traffic, key, { halfHour, category, format, count: 1 });
  }

  /** Resolves when all earlier counts are acknowledged. Rejects when they could not be sent. */
  flush(): Promise<void> {
    this.#queued ??= this.#afterRunning();
    return this.#queued;
  }

  async #afterRunning(): Promise<void> {
    await this.#running.catch(() => undefined);
    this.#queued = null;
    this.#running = this.#sendAll();
    await this.#running;
  }

  async #sendAll(): Promise<void> {
    await this.#sendUnacknowledged();
    this.#cut();
    await this.#sendUnacknowledged();
  }

  async #sendUnacknowledged(): Promise<void> {
    for (let batch = this.#unacknowledged[0]; batch !== undefined; batch = this.#unacknowledged[0]) {
      await this.#spend.report(batch);
      this.#unacknowledged.shift();
    }
  }

  #cut(): void {
    const requests = [...this.#requests.values()];
    const fills = [...this.#fills.values()];
    const traffic = [...this.#traffic.values()];
    this.#requests.clear();
    this.#fills.clear();
    this.#traffic.clear();
    for (let at = 0; at < fills.length; at += BATCH_ROWS_MAX) {
      this.#number({ fills: fills.slice(at, at + BATCH_ROWS_MAX) });
    }
    for (let at = 0; at < requests.length; at += BATCH_ROWS_MAX) {
      this.#number({ requests: requests.slice(at, at + BATCH_ROWS_MAX) });
    }
    for (let at = 0; at < traffic.length; at += BATCH_ROWS_MAX) {
      this.#number({ traffic: traffic.slice(at, at + BATCH_ROWS_MAX) });
    }
  }

  #number(rows: Partial<ServingBatch>): void {
    this.#sequence += 1;
    this.#unacknowledged.push({ requests: [], fills: [], traffic: [], ...rows, sequence: this.#sequence });
  }

  get #openRows(): number {
    return this.#requests.size + this.#fills.size + this.#traffic.size;
  }

  /** Adds a row. A row over the limit is dropped and counted as dropped. */
  #add<Row>(rows: Map<string, Row>, key: string, row: Row): void {
    if (this.#openRows < OPEN_ROWS_MAX) rows.set(key, row);
    else this.#onDropped();
  }
}

function placeKey(place: CountPlace): string {
  return `${place.publisherId}|${place.appId}|${place.placement}|${place.format}|${place.country ?? ''}`;
}
