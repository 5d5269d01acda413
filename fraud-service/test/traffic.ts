import { asAppId, asPlacementCode, asRequestId, asSessionId } from '@placard/service-kit/pure';
import { defaultValues, type FraudRule, type RuleValues } from '../src/domain/fraud-rules.js';
import { makeRuleBook, type RuleBook } from '../src/domain/rule-book.js';
import type { AdRequest, Click, Impression, Lifetimes } from '../src/domain/traffic.js';

/** 2026-03-01T12:00:00Z: the start of the tests' clock. */
export const START_MS = 1_772_366_400_000;

/** The lifetimes of the contract. */
export const LIFETIMES: Lifetimes = { adTtlMs: 1_800_000, eventWindowMs: 3_600_000 };

/** An ad request of session `s1` at the start. */
export function testAdRequest(overrides: Partial<AdRequest> = {}): AdRequest {
  return {
    type: 'ad_request',
    requestId: asRequestId('req_1'),
    sessionId: asSessionId('s1'),
    arrivedAtMs: START_MS,
    ...overrides,
  };
}

/** A banner of 30 s, shown in session `s1` at its start. */
export function testImpression(overrides: Partial<Impression> = {}): Impression {
  return {
    type: 'impression',
    requestId: asRequestId('req_1'),
    sessionId: asSessionId('s1'),
    sessionExpiresAtMs: START_MS + 3_600_000,
    appId: asAppId('app_sunrise_puzzle'),
    placement: asPlacementCode('home_banner'),
    isBanner: true,
    bannerRefreshSeconds: 30,
    arrivedAtMs: START_MS,
    ...overrides,
  };
}

/** A click in session `s1`, two seconds after its impression. */
export function testClick(overrides: Partial<Click> = {}): Click {
  return {
    type: 'click',
    requestId: asRequestId('req_1'),
    sessionId: asSessionId('s1'),
    sessionExpiresAtMs: START_MS + 3_600_000,
    appId: asAppId('app_sunrise_puzzle'),
    placement: asPlacementCode('home_banner'),
    arrivedAtMs: START_MS + 2_000,
    impressionArrivedAtMs: START_MS,
    ...overrides,
  };
}

/** The rules of the contract, with some numbers changed and some rules in shadow mode. */
export function testRuleBook(
  values: Partial<RuleValues> = {},
  shadowRules: readonly FraudRule[] = [],
): RuleBook {
  return makeRuleBook({
    values: { ...defaultValues, ...values },
    shadowRules: new Set(shadowRules),
    lifetimes: LIFETIMES,
  });
}
