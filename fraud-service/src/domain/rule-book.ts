import type { PlacementCode } from '@placard/service-kit/pure';
import type { Claim, ClaimCounter, Limit } from './claim.js';
import { fraudRules, type FraudRule, type RuleValues } from './fraud-rules.js';
import { PASSES, type Judgement } from './judgement.js';
import type { CounterName, Rule } from './rule.js';
import type { Lifetimes, Subject, Traffic } from './traffic.js';

/** The fraud rules with the operator's settings. */
export interface RuleBook {
  /** Judges by the rules without a counter. */
  examine(traffic: Traffic): Judgement;
  /** Makes the claim for the rules with a counter. */
  claim(traffic: Traffic): Claim;
}

/** The operator's settings. */
export interface RuleBookOptions {
  readonly values: RuleValues;
  /** Rules that judge and count but refuse nothing. */
  readonly shadowRules: ReadonlySet<FraudRule>;
  readonly lifetimes: Lifetimes;
}

/** The counters that count traffic of each kind when it passes. The first one detects a retry. */
const COUNTED: Readonly<Record<Subject, readonly CounterName[]>> = {
  ad_request: ['ad_requests'],
  impression: ['session_impressions', 'placement_impressions'],
  click: ['clicks'],
};

/**
 * The clocks of instances differ a little, so arrivals are not judged exactly in their order. Therefore entries are
 * kept for one window longer than needed.
 */
const WINDOWS_KEPT = 2;

type CountingRule = Exclude<Rule<FraudRule>, { readonly kind: 'plain' }>;
type PlainRule = Extract<Rule<FraudRule>, { readonly kind: 'plain' }>;

/** The use of a counter by one kind of traffic. */
interface CounterUse {
  readonly name: CounterName;
  readonly isCounted: boolean;
  /** The same in every claim. Null: the counter is kept for the life of the session, which each event carries. */
  readonly rolling: ClaimCounter | null;
}

/** Makes the rule book. Everything that does not depend on the traffic is computed here. */
export function makeRuleBook(options: RuleBookOptions): RuleBook {
  const pages: Readonly<Record<Subject, Page>> = {
    ad_request: makePage('ad_request'),
    impression: makePage('impression'),
    click: makePage('click'),
  };
  return {
    examine: (traffic) => examine(pages[traffic.type].plain, traffic, options),
    claim: (traffic) => makeClaim(pages[traffic.type], traffic, options),
  };
}

/** The rules for one kind of traffic, in the order of judgement. */
interface Page {
  readonly plain: readonly PlainRule[];
  readonly counting: readonly CountingRule[];
  readonly counters: readonly CounterUse[];
}

function makePage(subject: Subject): Page {
  const rules = fraudRules.filter(({ judges }) => judges.includes(subject));
  const counting = rules.filter((rule) => rule.kind !== 'plain');
  const read = counting.flatMap(countersOf);
  const names = new Set([...COUNTED[subject], ...read]);
  return {
    plain: rules.filter((rule) => rule.kind === 'plain'),
    counting,
    counters: [...names].map((name) => toCounterUse(name, COUNTED[subject].includes(name))),
  };
}

function countersOf(rule: CountingRule): readonly CounterName[] {
  return rule.kind === 'ratio' ? [rule.counter, rule.baseCounter] : [rule.counter];
}

/** A counter is kept as long as the rule with the longest window needs it. */
function toCounterUse(name: CounterName, isCounted: boolean): CounterUse {
  const users = fraudRules.filter(
    (rule): rule is CountingRule => rule.kind !== 'plain' && countersOf(rule).includes(name),
  );
  const windowsMs = users.map((rule) => (rule.kind === 'window' ? rule.windowMs : Number.POSITIVE_INFINITY));
  const windowMs = Math.max(...windowsMs);
  if (!Number.isFinite(windowMs)) return { name, isCounted, rolling: null };
  return {
    name,
    isCounted,
    rolling: { name, isCounted, ttlMs: windowMs, forgetAfterMs: WINDOWS_KEPT * windowMs },
  };
}

function examine(rules: readonly PlainRule[], traffic: Traffic, options: RuleBookOptions): Judgement {
  const { values, shadowRules } = options;
  const broken = rules.filter((rule) => rule.isBroken(traffic, values)).map(({ code }) => code);
  if (broken.length === 0) return PASSES;
  const verdict = broken.find((code) => !shadowRules.has(code)) ?? null;
  return { verdict, shadowed: verdict === null ? broken : broken.slice(0, broken.indexOf(verdict)) };
}

function makeClaim(page: Page, traffic: Traffic, options: RuleBookOptions): Claim {
  const ttlMs = sessionTtlMs(traffic, options.lifetimes);
  const limits: Limit[] = [];
  for (const rule of page.counting) {
    const limit = toLimit(rule, traffic, options);
    if (limit !== null) limits.push(limit);
  }
  return {
    sessionId: traffic.sessionId,
    requestId: traffic.requestId,
    placement: placementOf(traffic),
    atMs: traffic.arrivedAtMs,
    counters: page.counters.map(
      ({ name, isCounted, rolling }) => rolling ?? { name, isCounted, ttlMs, forgetAfterMs: null },
    ),
    limits,
  };
}

function placementOf(traffic: Traffic): PlacementCode | null {
  return traffic.type === 'ad_request' ? null : traffic.placement;
}

function toLimit(
  rule: CountingRule,
  traffic: Traffic,
  { values, shadowRules }: RuleBookOptions,
): Limit | null {
  const max = rule.max(traffic, values);
  if (max === null) return null;
  const { code, counter } = rule;
  const isShadow = shadowRules.has(code);
  if (rule.kind === 'window')
    return { kind: 'window', rule: code, isShadow, counter, windowMs: rule.windowMs, max };
  const baseMin = rule.baseMin(values);
  return { kind: 'ratio', rule: code, isShadow, counter, baseCounter: rule.baseCounter, max, baseMin };
}

/**
 * How long the counters of a session's life must be kept after an event. The last impression can come one ad lifetime
 * after the end of the session. The last click can come one ad lifetime and one event window after its impression.
 */
function sessionTtlMs(traffic: Traffic, { adTtlMs, eventWindowMs }: Lifetimes): number {
  const sessionMs = traffic.type === 'ad_request' ? 0 : traffic.sessionExpiresAtMs - traffic.arrivedAtMs;
  return adTtlMs + Math.max(sessionMs, eventWindowMs);
}
