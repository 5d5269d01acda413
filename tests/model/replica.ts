import {
  asSessionId,
  makeRequestId,
  type CatalogDelta,
  type Clock,
  type ImpressionClaims,
  type Random,
} from '@placard/service-kit/pure';
import { testApp, testPlacement, testPublisher } from '@placard/service-kit/testing';
import { refiningTexts, type AdRequest } from '../../serving-service/src/domain/ad-request.js';
import { CampaignIndex } from '../../serving-service/src/selection/domain/campaign-index.js';
import { toQuery } from '../../serving-service/src/selection/domain/select.js';
import { Wallet } from '../../serving-service/src/budgets/domain/wallet.js';
import { HeadroomMemory } from '../../serving-service/src/budgets/usecase/headroom-memory.js';
import { LeaseExchanger } from '../../serving-service/src/budgets/usecase/exchange-leases.js';
import { fillLive } from '../../serving-service/src/ads/usecase/fill-live.js';
import type { Market } from './market.js';
import type { Network, Passage } from './network.js';

/** What a replica needs. */
export interface ReplicaDeps {
  readonly market: Market;
  readonly network: Network;
  /** The clock of the world. The replica's own may be shifted. */
  readonly clock: Clock;
  readonly random: Random;
  readonly run: string;
  readonly adTtlMs: number;
  /** Shift of its clock, ms. */
  readonly offMs: number;
}

const SLOT = { publisher: testPublisher(), app: testApp(), placement: testPlacement(), isTest: false };
const NO_CAPS = {
  counts: () => Promise.resolve(new Map<never, never>()),
  claim: () => Promise.resolve(null),
  settle: () => Promise.resolve(),
};

/** One replica run of serving-service with the real index, wallet, exchange and selection. */
export class Replica {
  offMs: number;
  /** Fates of the next exchanges. */
  passages: Passage[] = [];
  readonly #deps: ReplicaDeps;
  readonly #index: CampaignIndex;
  readonly #wallet = new Wallet();
  readonly #headroom: HeadroomMemory;
  readonly #exchanger: LeaseExchanger;
  #isImpatient = true;
  /** Resolves when requests stop waiting. */
  #impatience = deferred();
  #held = deferred();
  #holding = deferred();
  #isHeld = false;
  /** How often answers were let through: what was sent before the last time is never held. */
  #passings = 0;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
    this.offMs = deps.offMs;
    this.#index = CampaignIndex.of(deps.market.catalog);
    this.#headroom = new HeadroomMemory(this.#index);
    this.#exchanger = new LeaseExchanger({
      wallet: this.#wallet,
      headroom: this.#headroom,
      index: this.#index,
      clock: this.#clock,
      run: deps.run,
      adTtlMs: deps.adTtlMs,
      spend: {
        exchange: (request) => {
          const passings = this.#passings;
          return deps.network.send(request, this.passages.shift() ?? 'ok', () => this.#hold(passings));
        },
      },
      deadlineClock: { now: () => 0 },
      wait: (ms) => (ms <= 1 ? Promise.resolve() : this.#impatience.promise),
      onWant: () => undefined,
      onWait: () => undefined,
      onExchange: () => undefined,
    });
  }

  /** Resolves when an answer is held. */
  untilHeld(): Promise<void> {
    return this.#holding.promise;
  }

  /** Requests an ad of the campaign; null: a no-fill. */
  async request(at: number): Promise<ImpressionClaims | null> {
    const { random, adTtlMs, market } = this.#deps;
    const nowMs = this.#clock.now();
    this.#headroom.advanceTo(nowMs);
    const request = requestFrom(market.campaign(at).countries[0] ?? '');
    const requestId = makeRequestId(nowMs, random);
    const deps = {
      random,
      wallet: this.#wallet,
      exchanger: this.#exchanger,
      headroom: this.#headroom,
      caps: NO_CAPS,
      openFillsMax: 0,
      traceparent: () => null,
      impressionTokens: { seal: () => 'sealed' },
      wary: new WeakSet<never>(),
      onDegraded: () => undefined,
    };
    const outcome = await fillLive(deps, {
      requestId,
      request,
      slot: SLOT,
      deadlineAt: Infinity,
      isPassed: Promise.resolve(true),
      session: { ...SESSION, sessionId: asSessionId(`ses_${requestId}`), expiresAtMs: nowMs + adTtlMs },
      time: { filledAtMs: nowMs, expiresAtMs: nowMs + adTtlMs },
      walk: this.#index.walk(toQuery(request, SLOT.app)),
      facts: {
        nowMs,
        request,
        counts: new Map(),
        isSkipped: (entry) => this.#headroom.isSkipped(entry),
        random,
      },
    });
    return outcome.kind === 'filled' ? outcome.fill.claims : null;
  }

  /** Runs the work of a quarter second. The next call repeats a failed exchange. */
  async tick(): Promise<void> {
    this.letThrough();
    await this.#exchanger.tick().catch(() => undefined);
  }

  /** Applies a change of the market. */
  follow(delta: CatalogDelta): void {
    for (const id of this.#index.apply(this.#deps.market.catalog, delta)) {
      const entry = this.#index.get(id) ?? null;
      this.#wallet.follow(id, entry);
      if (entry !== null) this.#headroom.follow(entry, this.#clock.now());
    }
  }

  /** Returns all money; false: some could not be returned. */
  async stop(): Promise<boolean> {
    this.letThrough();
    this.#impatience.resolve();
    return this.#exchanger.close().then(
      () => true,
      () => false,
    );
  }

  /** Sets whether requests wait for their answer or give up. */
  setPatient(isPatient: boolean): void {
    this.#isImpatient = !isPatient;
    if (isPatient && !this.#isHeld) this.#impatience = deferred();
    if (!isPatient && this.#isHeld) this.#impatience.resolve();
  }

  /** Lets answers through that are held back, or would be: those of exchanges that are on their way. */
  letThrough(): void {
    this.passages = this.passages.filter((next) => next !== 'held');
    this.#passings += 1;
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#holding = deferred();
    this.#impatience = deferred();
    this.#held.resolve();
  }

  get #clock(): Clock {
    return { now: () => this.#deps.clock.now() + this.offMs };
  }

  async #hold(passings: number): Promise<void> {
    if (passings !== this.#passings) return;
    this.#isHeld = true;
    this.#held = deferred();
    this.#holding.resolve();
    if (this.#isImpatient) this.#impatience.resolve();
    await this.#held.promise;
  }
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Fields of a session. Each request has its own session. */
const SESSION = {
  appId: SLOT.app.id,
  packageName: SLOT.app.packageName,
  isTest: false,
  issuedAtMs: 0,
};

function requestFrom(country: string): AdRequest {
  return {
    appKey: SLOT.app.appKey,
    placement: SLOT.placement.code,
    format: SLOT.placement.format,
    ...refiningTexts({ country }),
    screenWidth: null,
    screenHeight: null,
    isTestMode: false,
    isNoFillForced: false,
    appVersion: null,
    sdkVersion: null,
    publicBaseUrl: 'https://ads.example.com',
  };
}
