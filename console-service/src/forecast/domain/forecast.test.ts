import { DAY_MS, HOUR_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { forecastPlan, type AuctionDay, type Plan } from './forecast.js';

const TODAY = 20_580;
const COST = 2_000n;

const plan = (changes: Partial<Plan> = {}): Plan => ({
  costNanos: COST,
  budgetDailyNanos: null,
  firstDaySpentNanos: 0n,
  budgetLeftNanos: null,
  startsAtMs: TODAY * DAY_MS,
  endsAtMs: (TODAY + 1) * DAY_MS,
  ...changes,
});

/** A week in which all fills are shown. */
function week(day: (ago: number) => Partial<AuctionDay>): AuctionDay[] {
  return [7, 6, 5, 4, 3, 2, 1].map((ago) => {
    const sold = day(ago).sold ?? [];
    const fills = sold.reduce((sum, row) => sum + row.fills, 0);
    return { day: TODAY - ago, unsold: 0, sold, impressions: fills, ...day(ago) };
  });
}

describe('the forecast of a planned campaign', () => {
  it('wins what nobody won, what was cheaper, and half of what cost the same', () => {
    const sold = [
      { priceNanos: 0n, fills: 7 },
      { priceNanos: 1_999n, fills: 30 },
      { priceNanos: COST, fills: 20 },
      { priceNanos: 2_001n, fills: 500 },
    ];
    const [day] =
      forecastPlan(
        week(() => ({ unsold: 100, sold })),
        plan(),
      )?.days ?? [];
    expect(day).to.deep.equal({
      day: TODAY,
      requests: 657,
      fills: 140,
      impressions: 140,
      spendNanos: 140n * COST,
    });
  });

  it('takes a weekday like the same weekday of the weeks before', () => {
    const history = week((ago) => ({
      unsold: ago === 7 ? 10 : 1_000,
      sold: [{ priceNanos: 9_999n, fills: 1 }],
    }));
    const days = forecastPlan(history, plan({ endsAtMs: (TODAY + 2) * DAY_MS }))?.days ?? [];
    expect(days.map(({ impressions }) => impressions)).to.deep.equal([10, 1_000]);
  });

  it('counts a day in part when the campaign runs in a part of it', () => {
    const history = week(() => ({ unsold: 240, sold: [{ priceNanos: 9_999n, fills: 1 }] }));
    const from = plan({ startsAtMs: TODAY * DAY_MS + 18 * HOUR_MS });
    expect(forecastPlan(history, from)?.days[0]?.impressions).to.equal(60);
  });

  it('ends with the daily budget and with the total budget', () => {
    const history = week(() => ({ unsold: 1_000, sold: [{ priceNanos: 9_999n, fills: 1 }] }));
    const limited = plan({
      budgetDailyNanos: 400n * COST,
      budgetLeftNanos: 700n * COST,
      endsAtMs: (TODAY + 3) * DAY_MS,
    });
    expect(forecastPlan(history, limited)?.days.map(({ impressions }) => impressions)).to.deep.equal([
      400, 300, 0,
    ]);
  });

  it('has on its first day what the day has left of the daily budget', () => {
    const history = week(() => ({ unsold: 1_000, sold: [{ priceNanos: 9_999n, fills: 1 }] }));
    const impressionsOf = (firstDaySpentNanos: bigint) => {
      const budgetDailyNanos = 400n * COST;
      const endsAtMs = (TODAY + 2) * DAY_MS;
      const limited = plan({ budgetDailyNanos, firstDaySpentNanos, endsAtMs });
      return forecastPlan(history, limited)?.days.map(({ impressions }) => impressions);
    };
    expect(impressionsOf(100n * COST)).to.deep.equal([300, 400]);
    expect(impressionsOf(500n * COST)).to.deep.equal([0, 400]);
  });

  it('counts only the fills that are shown', () => {
    const history = week(() => ({
      unsold: 1_000,
      sold: [{ priceNanos: 9_999n, fills: 100 }],
      impressions: 60,
    }));
    expect(forecastPlan(history, plan())?.days[0]).to.include({ fills: 1_000, impressions: 600 });
  });

  it('is none with fewer than three days of history', () => {
    expect(forecastPlan(week(() => ({ unsold: 1 })).slice(-2), plan())).to.equal(null);
  });
});
