// The shipped pacing policy for a one-day simulator. The default export makes a policy { name, tick, eligible, ceiling
// }.
// Plain Node.js imports it after `npm run build`. It depends on the compiled domain only.
import { likelySpend, paceLimits } from '@placard/service-kit/pure';

/** Converts a campaign of the simulator. Its state holds whole money, seconds of the day and shares. */
function dayOf(campaign, state) {
  return {
    budgetNanos: state.budget,
    costNanos: campaign.cost,
    anchor: { second: state.anchor.t, spentNanos: state.anchor.spend },
    rates: { show: state.show, late: state.late },
    // The curve of the simulator already runs ahead where it is not proven.
    forecast: { curve: state.F, ahead: 1 },
  };
}

/** Makes the policy of one simulated day. Exemptions of small budgets are not part of it. */
export default function shippedPolicy() {
  return {
    name: 'shipped',
    tick(campaign, now, state) {
      state.mem.base = state.spent + state.reserved;
    },
    eligible: () => true,
    // The simulator compares spent + reserved + cost with this ceiling, as the atomic script does with its two limits.
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
