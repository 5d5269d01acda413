import { minuteOf, systemClock, type CampaignId } from '@placard/service-kit/pure';
import type { SpendClient } from '@placard/serving-service/clients/spend-client.js';
import type { IndexedCampaign } from '@placard/serving-service/selection/domain/indexed-campaign.js';
import type { LeaseVerdict } from '@placard/serving-service/budgets/domain/lease-want.js';
import { Wallet } from '@placard/serving-service/budgets/domain/wallet.js';
import { HeadroomMemory } from '@placard/serving-service/budgets/usecase/headroom-memory.js';
import { LeaseExchanger } from '@placard/serving-service/budgets/usecase/exchange-leases.js';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Default validity of an ad. */
export const AD_TTL_MS = 1_800_000;
const TICK_MS = 250;
const REQUEST_MS = 1_000;
const RUN_BYTES = 8;
/** Most attempts of an exchange. A plan is made again when there is another anchor. */
const TRIES = 3;

/** Receives the events of a replica. */
export interface ReplicaListener {
  readonly onWant: (verdict: LeaseVerdict) => void;
  readonly onExchange: (seconds: number) => void;
  readonly onWait: (ms: number) => void;
  readonly onFailure: () => void;
}

/** A replica of serving-service without requests. Its wallet, its exchange and its memory are the real ones. */
export class GeneratedReplica {
  readonly #wallet = new Wallet();
  readonly #headroom: HeadroomMemory;
  readonly #exchanger: LeaseExchanger;
  readonly #listener: ReplicaListener;
  readonly #timer: NodeJS.Timeout;
  #isTicking = false;

  constructor(
    entries: ReadonlyMap<CampaignId, IndexedCampaign>,
    exchange: SpendClient['exchange'],
    listener: ReplicaListener,
  ) {
    const index = { get: (id: CampaignId) => entries.get(id), skip: () => undefined, retry: () => undefined };
    this.#headroom = new HeadroomMemory(index);
    this.#listener = listener;
    this.#exchanger = new LeaseExchanger({
      wallet: this.#wallet,
      headroom: this.#headroom,
      index,
      spend: { exchange },
      clock: systemClock,
      deadlineClock: systemClock,
      adTtlMs: AD_TTL_MS,
      run: randomBytes(RUN_BYTES).toString('hex'),
      wait: (ms) => sleep(ms, undefined, { ref: false }),
      onWant: listener.onWant,
      onWait: () => undefined,
      onExchange: listener.onExchange,
    });
    this.#timer = setInterval(() => void this.#tick(), TICK_MS);
  }

  /** Sells one ad of the campaign; false: there is no money, or the campaign is skipped. */
  async request(entry: IndexedCampaign): Promise<boolean> {
    const nowMs = systemClock.now();
    const minute = minuteOf(nowMs);
    const { id, costNanos } = entry.campaign;
    this.#headroom.advanceTo(nowMs);
    if (this.#headroom.isSkipped(entry)) return false;
    for (let turn = 0; turn < TRIES; turn += 1) {
      if (this.#wallet.take(id, minute, costNanos, nowMs) !== null) return true;
      const startedAt = performance.now();
      const deadlineAt = nowMs + REQUEST_MS;
      const outcome = await this.#exchanger.ask({ entry, minute, deadlineAt, next: [], isLast: false });
      this.#listener.onWait(performance.now() - startedAt);
      if (outcome !== 'granted' && outcome !== 'anchor') return false;
    }
    return false;
  }

  /** Returns all money. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#exchanger.close();
  }

  async #tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    await this.#exchanger.tick().catch(() => this.#listener.onFailure());
    this.#isTicking = false;
  }
}
