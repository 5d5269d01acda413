// The shipped pacing policy as a one-day simulator sees it: the default export makes a policy { name, tick, eligible, ceiling }.
// Plain node imports it after `npm run build`, so it stands on the compiled domain and on nothing else.
import { likelySpend, paceLimits } from '../dist/pacing/domain/plan.js';

/** A campaign's day as the policy takes it; the simulator's state counts in whole money, seconds of the day and shares. */
function dayOf(campaign, state) {
  return {
    budgetNanos: state.budget,
    costNanos: campaign.cost,
    anchor: { second: state.anchor.t, spentNanos: state.anchor.spend },
    rates: { show: state.show, late: state.late },
    // The simulator's curve already runs ahead where it is not proven.
    forecast: { curve: state.F, ahead: 1 },
  };
}

/** Makes the policy of one simulated day; exemptions of small budgets stand outside of it. */
export default function shippedPolicy() {
  return {
    name: 'shipped',
    tick(campaign, now, state) {
      state.mem.base = state.spent + state.reserved;
    },
    eligible: () => true,
    // The reserve compares spent + reserved + cost with this, as the atomic script does with its two bounds.
    ceiling(campaign, now, state) {
      const { planNanos, mostNanos, show, late } = paceLimits(dayOf(campaign, state), now);
      const open = state.reserved;
      const likely = likelySpend({ spent: state.spent, open, fresh: state.fresh }, { show, late });
      const byPlan = planNanos + state.spent + open - likely;
      if (mostNanos === null) return byPlan;
      return Math.min(byPlan, (state.mem.base ?? state.spent + open) + mostNanos);
    },
  };
}
