import {
  asAppId,
  asAppKey,
  asPlacementCode,
  systemRandom,
  type App,
  type CampaignId,
} from '@placard/service-kit/pure';
import type { CampaignIndex } from '@placard/serving-service/selection/domain/campaign-index.js';
import type { IndexedCampaign } from '@placard/serving-service/selection/domain/indexed-campaign.js';
import { nextCandidates, toQuery, type Candidate } from '@placard/serving-service/selection/domain/select.js';
import { refiningTexts, type AdRequest } from '@placard/serving-service/domain/ad-request.js';
import type { Chance } from '../chance.js';
import { makePhone, pickPlacement, type Phone } from '../generator/phone.js';
import type { AppEntry, PlacementEntry } from '../market/market.js';
import { percentileOf, type SelectionTimes } from './figures.js';

/** Most candidates that an ad request reads in its first step. */
const CANDIDATES = 8;
const REQUESTS = 2_000;
const WARMUP_ROUNDS = 3;
const ROUNDS = 10;

/** Input of a selection. */
export interface Wanted {
  readonly request: AdRequest;
  readonly app: Pick<App, 'id' | 'language' | 'category'>;
}

/** Makes requests, each of another phone. */
export function makeRequests(apps: readonly AppEntry[], chance: Chance): readonly Wanted[] {
  return Array.from({ length: REQUESTS }, () => {
    const phone = makePhone(apps, chance);
    return wantedBy(phone, pickPlacement(phone, chance));
  });
}

/** Selects for all requests, several times. */
export function measureSelection(index: CampaignIndex, wanted: readonly Wanted[]): SelectionTimes {
  const micros = new Float64Array(ROUNDS * wanted.length);
  let candidates = 0;
  for (let round = -WARMUP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [at, one] of wanted.entries()) {
      const startedAt = performance.now();
      const found = select(index, one);
      const tookMs = performance.now() - startedAt;
      candidates += found.length;
      if (round >= 0) micros[round * wanted.length + at] = tookMs * 1_000;
    }
  }
  if (candidates === 0) throw new Error('selection has found nothing');
  return { p50: percentileOf(micros, 50), p99: percentileOf(micros, 99) };
}

const NO_COUNTS = new Map<never, never>();
const isSkipped = (): boolean => false;

function select(index: CampaignIndex, { request, app }: Wanted): readonly Candidate[] {
  const walk = index.walk(toQuery(request, app));
  const facts = { nowMs: 0, request, counts: NO_COUNTS, isSkipped, random: systemRandom };
  return nextCandidates(walk, facts, CANDIDATES);
}

/** The campaign that wins a request while every campaign has money. Null: none matches. */
export function winnerOf(index: CampaignIndex, wanted: Wanted): CampaignId | null {
  return select(index, wanted)[0]?.entry.campaign.id ?? null;
}

/** Makes the index skip the highest-bidding 19 of 20 campaigns, as if they were spent out. */
export function spendOut(index: CampaignIndex, entries: readonly IndexedCampaign[]): void {
  const byBid = entries.toSorted((a, b) => b.rank - a.rank);
  for (const entry of byBid.slice(0, Math.floor(byBid.length * 0.95))) index.skip(entry);
}

function wantedBy(phone: Phone, placement: PlacementEntry): Wanted {
  const [screenWidth, screenHeight] = phone.screen;
  const request: AdRequest = {
    appKey: asAppKey(phone.app.app_key),
    placement: asPlacementCode(placement.code),
    format: placement.format,
    ...refiningTexts(phone),
    screenWidth,
    screenHeight,
    isTestMode: false,
    isNoFillForced: false,
    appVersion: null,
    sdkVersion: null,
    publicBaseUrl: 'https://ads.example.com',
  };
  return { request, app: { ...phone.app, id: asAppId(phone.app.id) } };
}
