import { DAY_MS, type Nanos } from '@placard/service-kit/pure';

/** The requests of one past UTC day that match the planned campaign's segment. */
export interface AuctionDay {
  /** Since 1970. */
  readonly day: number;
  /** Requests for which no campaign was left. */
  readonly unsold: number;
  readonly sold: readonly SoldRequests[];
  /** Accepted impressions of the sold requests. */
  readonly impressions: number;
}

/** Fills of one price. */
export interface SoldRequests {
  /** Of one impression; 0: not known, because none of the fills was shown. */
  readonly priceNanos: Nanos;
  readonly fills: number;
}

/** A planned campaign. */
export interface Plan {
  /** Price of one impression. */
  readonly costNanos: Nanos;
  /** Null: no limit. */
  readonly budgetDailyNanos: Nanos | null;
  /** What the first day has spent of it before the start, at least 0. */
  readonly firstDaySpentNanos: Nanos;
  /** What is left of the total budget at the start; null: no limit. */
  readonly budgetLeftNanos: Nanos | null;
  /** Epoch ms: the first day is the day of the start, and the last one has the end in it or before it. */
  readonly startsAtMs: number;
  /** Excluded. */
  readonly endsAtMs: number;
}

/** What one UTC day will probably bring. */
export interface ForecastDay {
  /** Since 1970. */
  readonly day: number;
  /** Requests that match, whoever wins them. */
  readonly requests: number;
  readonly fills: number;
  readonly impressions: number;
  readonly spendNanos: Nanos;
}

/** The forecast of a planned campaign. */
export interface Forecast {
  /** Past days with requests that it rests on. */
  readonly historyDays: number;
  readonly days: readonly ForecastDay[];
}

/** Fewer past days with requests say nothing about the days to come. */
export const HISTORY_DAYS_MIN = 3;
/** Most days of a forecast. */
export const FORECAST_DAYS_MAX = 92;

const WEEK = 7;

/**
 * The likely fills and spend of a planned campaign on each of its days. A request is won when nobody won it, or when the
 * winner paid less; of those at the same price half are won. A day is like the mean of the same weekdays of the history;
 * a weekday without history is like the mean of all days. Null: the history has too few days.
 */
export function forecastPlan(history: readonly AuctionDay[], plan: Plan): Forecast | null {
  if (history.length < HISTORY_DAYS_MIN) return null;
  const past = history.map((day) => ({ day: day.day, ...expect(day, plan.costNanos) }));
  const all = meanOf(past);
  const showRate = showRateOf(history);
  let leftNanos = plan.budgetLeftNanos;
  let dailyNanos = firstDailyBudget(plan);
  const days: ForecastDay[] = [];
  for (let day = Math.floor(plan.startsAtMs / DAY_MS); day * DAY_MS < plan.endsAtMs; day += 1) {
    const same = past.filter((one) => (day - one.day) % WEEK === 0);
    const usual = same.length > 0 ? meanOf(same) : all;
    const share = shareOfDay(plan, day);
    const limit = lesser(dailyNanos, leftNanos);
    const shown = Math.floor(usual.winnable * share * showRate);
    const impressions = limit === null ? shown : Math.min(shown, Number(limit / plan.costNanos));
    const spendNanos = BigInt(impressions) * plan.costNanos;
    if (leftNanos !== null) leftNanos -= spendNanos;
    dailyNanos = plan.budgetDailyNanos;
    const fills = showRate > 0 ? Math.round(impressions / showRate) : 0;
    days.push({ day, requests: Math.round(usual.requests * share), fills, impressions, spendNanos });
  }
  return { historyDays: history.length, days };
}

interface Expected {
  readonly requests: number;
  readonly winnable: number;
}

function expect({ unsold, sold }: AuctionDay, costNanos: Nanos): Expected {
  let requests = unsold;
  let winnable = unsold;
  for (const { priceNanos, fills } of sold) {
    requests += fills;
    // Nobody knows what fills without a price were worth: they count as lost.
    if (priceNanos > 0n && priceNanos < costNanos) winnable += fills;
    else if (priceNanos === costNanos) winnable += fills / 2;
  }
  return { requests, winnable };
}

function meanOf(days: readonly Expected[]): Expected {
  const sum = (read: (day: Expected) => number): number =>
    days.reduce((total, day) => total + read(day), 0) / days.length;
  return { requests: sum(({ requests }) => requests), winnable: sum(({ winnable }) => winnable) };
}

/** The share of fills that are shown, over all of the history; 0 without any. */
function showRateOf(history: readonly AuctionDay[]): number {
  let fills = 0;
  let impressions = 0;
  for (const day of history) {
    impressions += day.impressions;
    for (const row of day.sold) fills += row.fills;
  }
  return fills > 0 ? Math.min(1, impressions / fills) : UNKNOWN_SHOW_RATE;
}

/** As pacing assumes it for a campaign without fills. */
const UNKNOWN_SHOW_RATE = 0.7;

/** The part of a UTC day in which the campaign runs. */
function shareOfDay({ startsAtMs, endsAtMs }: Plan, day: number): number {
  const from = Math.max(startsAtMs, day * DAY_MS);
  const to = Math.min(endsAtMs, (day + 1) * DAY_MS);
  return (to - from) / DAY_MS;
}

function firstDailyBudget({ budgetDailyNanos, firstDaySpentNanos }: Plan): Nanos | null {
  return budgetDailyNanos === null ? null : leftOf(budgetDailyNanos, firstDaySpentNanos);
}

/** What is left of a budget, at least 0: it may have been lowered after it was spent. */
export function leftOf(budgetNanos: Nanos, spentNanos: Nanos): Nanos {
  return budgetNanos > spentNanos ? budgetNanos - spentNanos : 0n;
}

function lesser(left: Nanos | null, right: Nanos | null): Nanos | null {
  if (left === null) return right;
  return right === null || left < right ? left : right;
}
