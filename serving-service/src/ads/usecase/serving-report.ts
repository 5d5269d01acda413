import { makeNumberedBatches, type NumberedBatches } from '@placard/service-kit/background';
import {
  hourOf,
  MINUTE_MS,
  minuteOf,
  type AdFormat,
  type ImpressionClaims,
  type ReportedNoFillReason,
} from '@placard/service-kit/pure';
import type {
  CountPlace,
  FillCount,
  RequestCount,
  ServingBatch,
  SpendClient,
  TrafficCount,
} from '../../clients/spend-client.js';
import { LossCounts } from '../../explain/usecase/loss-counts.js';
import { VersionNames, type Versions } from './version-names.js';

/** Most rows of one batch. */
export const BATCH_ROWS_MAX = 2_000;
/** Fewest rows of lost requests that a flush sends, if there are as many. */
export const LOSS_ROWS_MIN = 256;
/** A flush sends one in this many of the waiting rows of lost requests. The others wait and add up, which saves rows. */
const LOSS_FLUSHES = 60;
/** Most rows in memory while events-service is unavailable. Further rows are dropped and counted as dropped. */
export const OPEN_ROWS_MAX = 100_000;

const HALF_HOUR_MS = 30 * MINUTE_MS;

/** The fields of a fill that reports need. */
export type CountedFill = Pick<ImpressionClaims, 'campaignId' | 'advertiserId' | 'creativeId' | 'filledAtMs'>;

/** A request that reached a placement. */
export interface CountedRequest {
  /** Epoch ms. */
  readonly atMs: number;
  /** Null: a fill. */
  readonly noFillReason: ReportedNoFillReason | null;
  readonly versions: Versions;
}

type Rows = Omit<ServingBatch, 'sequence'>;
const NO_ROWS: Rows = { requests: [], fills: [], traffic: [], losses: [] };

type Changing<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/**
 * Counts live requests, fills and lost requests and sends them to events-service in numbered batches. Each batch is sent until it is
 * acknowledged. Contract: docs/contract/reports.md#requests-fills-no-fills.
 */
export class ServingReport {
  /** Lost requests of campaigns. Each flush sends a part of them, those that have waited longest. */
  readonly losses: LossCounts;
  readonly #onDropped: () => void;
  readonly #requests = new Map<string, Changing<RequestCount>>();
  readonly #fills = new Map<string, Changing<FillCount>>();
  readonly #versions = new VersionNames();
  readonly #traffic = new Map<string, Changing<TrafficCount>>();
  readonly #batches: NumberedBatches<Rows>;
  #isEnding = false;

  constructor(spend: Pick<SpendClient, 'report'>, onDropped: () => void = () => undefined) {
    this.#batches = makeNumberedBatches({
      take: () => this.#take(),
      send: (rows, sequence) => spend.report({ ...rows, sequence }),
    });
    this.#onDropped = onDropped;
    this.losses = new LossCounts(onDropped);
  }

  /** Rows that events-service has not acknowledged. */
  get waitingRows(): number {
    const sent = this.#batches.unacknowledged.reduce(
      (sum, { requests, fills, traffic, losses }) =>
        sum + requests.length + fills.length + traffic.length + losses.length,
      0,
    );
    return sent + this.#openRows + this.losses.size;
  }

  /** Counts a request that reached a placement. */
  countRequest(place: CountPlace, { atMs, noFillReason, versions }: CountedRequest): void {
    const hour = hourOf(atMs);
    const { appVersion, sdkVersion } = this.#versions.nameOf(place.appId, versions, atMs);
    const key = `${hour}|${placeKey(place)}|${noFillReason ?? ''}|${appVersion ?? ''}|${sdkVersion ?? ''}`;
    const row = this.#requests.get(key);
    if (row !== undefined) row.count += 1;
    else this.#add(this.#requests, key, { ...place, hour, noFillReason, appVersion, sdkVersion, count: 1 });
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

  /** Resolves when all earlier counts but some lost requests are acknowledged. Rejects when they could not be sent. */
  flush(): Promise<void> {
    return this.#batches.flush();
  }

  /** The last flush, which sends all lost requests too. */
  end(): Promise<void> {
    this.#isEnding = true;
    return this.flush();
  }

  #take(): readonly Rows[] {
    const fills = inBatches([...this.#fills.values()]).map((rows) => ({ ...NO_ROWS, fills: rows }));
    const requests = inBatches([...this.#requests.values()]).map((rows) => ({ ...NO_ROWS, requests: rows }));
    const traffic = inBatches([...this.#traffic.values()]).map((rows) => ({ ...NO_ROWS, traffic: rows }));
    this.#requests.clear();
    this.#fills.clear();
    this.#traffic.clear();
    const losses = inBatches(this.losses.take(this.#lossRows)).map((rows) => ({ ...NO_ROWS, losses: rows }));
    return [...fills, ...requests, ...traffic, ...losses];
  }

  /** The number of rows of lost requests that the next flush sends. */
  get #lossRows(): number {
    const { size } = this.losses;
    return this.#isEnding ? size : Math.max(LOSS_ROWS_MIN, Math.ceil(size / LOSS_FLUSHES));
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

function inBatches<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const count = Math.ceil(rows.length / BATCH_ROWS_MAX);
  return Array.from({ length: count }, (_, at) => rows.slice(at * BATCH_ROWS_MAX, (at + 1) * BATCH_ROWS_MAX));
}

function placeKey(place: CountPlace): string {
  return `${place.publisherId}|${place.appId}|${place.placement}|${place.format}|${place.country ?? ''}`;
}
