import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { AppError } from '@placard/service-kit';
import { makeTestClock, makeTestRandom } from '@placard/service-kit/testing';
import {
  asAppId,
  asAppKey,
  asCampaignId,
  asPlacementCode,
  asSessionId,
  HOUR_MS,
  type SessionClaims,
} from '@placard/service-kit/pure';
import { LeaseVerdict } from '@placard/protos/events/v1/events.js';
import { z } from 'zod';
import { REFINING_TEXTS, refiningTexts, type AdRequest } from '../src/domain/ad-request.js';
import { CampaignIndex } from '../src/selection/domain/campaign-index.js';
import { campaignUnit, placementUnit, type CapUnit } from '../src/caps/domain/caps.js';
import type { CapStore } from '../src/caps/store/cap-store.js';
import { makeRequestAd, type AdAnswer, type RequestAd } from '../src/ads/usecase/request-ad.js';
import { ServingReport } from '../src/ads/usecase/serving-report.js';
import { caseCatalog, toCatalog } from './support/case-world.js';
import { makePurse } from './support/exchanger.js';
import { LeaseBank } from './support/lease-bank.js';
import { makeMemoryCaps } from './support/memory-stores.js';
import { AD_TTL_MS, APP_KEY } from './support/world.js';

const DIR = new URL('./cases/', import.meta.url);
/** Number of requests for a measurement of shares. */
const ROUNDS = 1_000;

const text = z.string();
/** The refining texts: their names in the API and in memory. */
const REFINING_NAMES = REFINING_TEXTS.map(
  (key) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), key] as const,
);
const caseShape = z.strictObject({
  rule: text,
  catalog: caseCatalog.prefault({}),
  session: z
    .strictObject({
      token: z.enum(['valid', 'forged', 'expired', 'of another app']).default('valid'),
      package_name: text.default('com.sunrise.puzzle'),
      test_mode: z.boolean().default(false),
    })
    .prefault({}),
  request: z
    .strictObject({
      ...Object.fromEntries(REFINING_NAMES.map(([name]) => [name, text.nullish()])),
      at: text.default('2026-05-01T12:00:00Z'),
      app_key: text.default(APP_KEY),
      placement: text.default('home'),
      format: z.enum(['banner', 'interstitial', 'rewarded']).optional(),
      screen_width: z.int().nullable().default(null),
      screen_height: z.int().nullable().default(null),
      test_mode: z.boolean().default(false),
      test_force_no_fill: z.boolean().default(false),
    })
    .prefault({}),
  state: z
    .strictObject({
      placement_fills: z.int().default(0),
      campaign_fills: z.record(text, z.int()).default({}),
      budget_gone: z.record(text, z.enum(['total', 'day', 'balance', 'pace'])).default({}),
      fraud_cap_reached: z.boolean().default(false),
      redis_down: z.boolean().default(false),
    })
    .prefault({}),
  expect: z.strictObject({
    error: text.optional(),
    status: z.enum(['fill', 'no_fill']).optional(),
    reason: text.optional(),
    fallback: text.optional(),
    campaign_id: text.optional(),
    creative_id: text.optional(),
    creative_url: text.optional(),
    test: z.boolean().optional(),
    /** The least and the most per cent of 1,000 requests, by campaign or creative. */
    campaign_shares: z.record(text, z.tuple([z.number(), z.number()])).optional(),
    creative_shares: z.record(text, z.tuple([z.number(), z.number()])).optional(),
  }),
});
type Case = z.output<typeof caseShape>;

function sessionOf(given: Case, nowMs: number): SessionClaims | null {
  if (given.session.token === 'forged') return null;
  const isExpired = given.session.token === 'expired';
  return {
    sessionId: asSessionId('ses_1'),
    appId: asAppId(given.session.token === 'of another app' ? 'app_other' : 'app_puzzle'),
    packageName: given.session.package_name,
    isTest: given.session.test_mode,
    issuedAtMs: nowMs - HOUR_MS,
    expiresAtMs: isExpired ? nowMs : nowMs + 1,
  };
}

function requestOf({ request, catalog }: Case): AdRequest {
  const texts: Readonly<Record<string, unknown>> = request;
  return {
    appKey: asAppKey(request.app_key),
    placement: asPlacementCode(request.placement),
    format: request.format ?? catalog.placement.format,
    ...refiningTexts(
      Object.fromEntries(REFINING_NAMES.map(([name, key]) => [key, texts[name] as string | null])),
    ),
    screenWidth: request.screen_width,
    screenHeight: request.screen_height,
    isTestMode: request.test_mode,
    isNoFillForced: request.test_force_no_fill,
    appVersion: null,
    sdkVersion: null,
    publicBaseUrl: 'https://ads.example.com',
  };
}

const down = (): Promise<never> => Promise.reject(new Error('Redis is down'));

const VERDICTS = {
  total: LeaseVerdict.TOTAL,
  day: LeaseVerdict.DAY,
  balance: LeaseVerdict.BALANCE,
  pace: LeaseVerdict.PACE,
};

function capsOf({ state }: Case): CapStore {
  const counts = new Map<CapUnit, number>([
    [placementUnit(asPlacementCode('home')), state.placement_fills],
    ...Object.entries(state.campaign_fills).map(
      ([id, count]) => [campaignUnit(asCampaignId(id)), count] as const,
    ),
  ]);
  const caps = makeMemoryCaps(counts);
  return state.redis_down ? { ...caps, counts: down, claim: down, settle: down } : caps;
}

function openCase(given: Case, seed: number): RequestAd {
  const nowMs = Date.parse(given.request.at);
  const catalog = toCatalog(given.catalog);
  const index = CampaignIndex.of(catalog);
  const clock = makeTestClock(nowMs);
  const bank = new LeaseBank(() => nowMs);
  for (const [id, verdict] of Object.entries(given.state.budget_gone)) bank.forced.set(id, VERDICTS[verdict]);
  return makeRequestAd({
    sample: { take: () => null, explain: () => undefined },
    catalog,
    index,
    clock,
    ...makePurse({ bank, index, clock }),
    caps: capsOf(given),
    random: makeTestRandom(seed),
    report: new ServingReport({ report: () => Promise.resolve() }),
    openSession: () => sessionOf(given, nowMs),
    traceparent: () => null,
    impressionTokens: { seal: () => 'token' },
    fraud: { passes: () => Promise.resolve(!given.state.fraud_cap_reached) },
    adTtlMs: AD_TTL_MS,
    deadlineClock: { now: () => 0 },
    timers: { after: () => () => undefined },
    openFillsMax: ROUNDS,
    wary: new WeakSet(),
    onAnswer: () => undefined,
    onDegraded: () => undefined,
  });
}

async function ask(given: Case, requestAd: RequestAd): Promise<AdAnswer | AppError> {
  try {
    const call = { deadlineAt: Infinity, requestId: '-', waitedMs: 0 };
    return await requestAd(requestOf(given), 'token', call);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** An answer in the format of a case's `expect`. */
function wordsOf(answer: AdAnswer | AppError): Record<string, unknown> {
  if (answer instanceof AppError) return { error: answer.code };
  if (answer.result.kind === 'noFill') return { status: 'no_fill', ...answer.result.noFill };
  const { claims, creative } = answer.result.fill;
  return {
    status: 'fill',
    campaign_id: claims.campaignId,
    creative_id: claims.creativeId,
    creative_url: creative.url,
    test: claims.isTest,
  };
}

async function checkShares(given: Case): Promise<void> {
  const { campaign_shares: byCampaign, creative_shares: byCreative } = given.expect;
  const requestAd = openCase(given, 7);
  const counts = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const words = wordsOf(await ask(given, requestAd));
    const name = String(byCampaign === undefined ? words['creative_id'] : words['campaign_id']);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const shares = { ...byCampaign, ...byCreative };
  expect([...counts.keys()]).to.have.members(Object.keys(shares));
  for (const [name, [least, most]] of Object.entries(shares)) {
    expect(((counts.get(name) ?? 0) * 100) / ROUNDS, name).to.be.within(least, most);
  }
}

describe('ad requests, case by case', () => {
  const files = readdirSync(DIR, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    const given = caseShape.parse(JSON.parse(readFileSync(new URL(file, DIR), 'utf8')));
    const { campaign_shares, creative_shares, ...expected } = given.expect;
    it(`${path.basename(file, '.json')}: ${given.rule}`, async () => {
      if (campaign_shares !== undefined || creative_shares !== undefined) await checkShares(given);
      const words = wordsOf(await ask(given, openCase(given, 1)));
      for (const [name, value] of Object.entries(expected)) expect(words[name], name).to.equal(value);
    });
  }
});
