import { DAY_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { forecastPlan, type AuctionDay } from '../../src/forecast/domain/forecast.js';
import { Market, type Bidder } from '../support/auction-simulation.js';

const FIRST_DAY = 20_580;
const HISTORY_DAYS = 28;
const TODAY = FIRST_DAY + HISTORY_DAYS;
const HELD_OUT_DAYS = 7;
const SEEDS = [1, 2, 3, 4];
const PLANS = 6;
/** The error of a campaign with fewer impressions in a week says little. */
const SHOWN_MIN = 350;
const UNLIMITED = 1_000_000;

/** The relative errors of forecasts of a week that the history does not have. */
function errorsOf(change: (planned: Bidder) => Bidder): readonly number[] {
  return SEEDS.flatMap((seed) => {
    const market = new Market(seed);
    const plans = Array.from({ length: PLANS }, (_, number) => change(market.plan(number)));
    const history = Array.from({ length: HISTORY_DAYS }, (_, at) =>
      market.historiesOf(FIRST_DAY + at, plans),
    );
    return plans.flatMap((planned, number) => {
      const told = shownBy(
        planned,
        history.map((day) => day[number]!),
      );
      let seen = 0;
      for (let day = TODAY; day < TODAY + HELD_OUT_DAYS; day += 1) seen += market.shownOf(day, planned);
      return Math.max(told, seen) < SHOWN_MIN ? [] : [(told - seen) / seen];
    });
  });
}

function shownBy({ costNanos, perDayMax }: Bidder, history: readonly AuctionDay[]): number {
  const forecast = forecastPlan(history, {
    costNanos,
    budgetDailyNanos: BigInt(perDayMax) * costNanos,
    firstDaySpentNanos: 0n,
    budgetLeftNanos: null,
    startsAtMs: TODAY * DAY_MS,
    endsAtMs: (TODAY + HELD_OUT_DAYS) * DAY_MS,
  });
  return (forecast?.days ?? []).reduce((sum, { impressions }) => sum + impressions, 0);
}

/** The size of the error that this share of the forecasts does not exceed. */
function quantile(errors: readonly number[], share: number): number {
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  return sizes[Math.ceil(share * sizes.length) - 1] ?? 1;
}

// docs/health.md has the figures.
describe('a forecast, on a week that its history does not have', () => {
  it('is off by less than 15 % for nine in ten plans with a daily budget', () => {
    const errors = errorsOf((planned) => planned);
    expect(errors.length).to.be.at.least(15);
    expect(quantile(errors, 0.5)).to.be.below(0.05);
    expect(quantile(errors, 0.9)).to.be.below(0.15);
  });

  it('is off by less than a fifth for nine in ten plans that take all they can get', () => {
    const errors = errorsOf((planned) => ({ ...planned, perDayMax: UNLIMITED }));
    expect(errors.length).to.be.at.least(15);
    expect(quantile(errors, 0.5)).to.be.below(0.1);
    expect(quantile(errors, 0.9)).to.be.below(0.2);
  });
});
