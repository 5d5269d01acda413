import { Counter, Gauge, type Registry } from 'prom-client';
import type { ClosedLeases, HeldMoney } from './store/leases.js';

/** Campaigns with a series of their own: those that hold most money. The rest is `other`. */
export const CAMPAIGNS_MAX = 200;
const NANOS_PER_UNIT = 1e9;

/** Figures of budget leases, in currency units. */
export interface BudgetMetrics {
  readonly closed: (closed: ClosedLeases) => void;
  readonly held: (held: readonly HeldMoney[]) => void;
}

/** Registers {@link BudgetMetrics}. */
export function makeBudgetMetrics(registry: Registry): BudgetMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const leases = new Counter({
    name: 'placard_budget_closed_leases_total',
    help: 'Leases that were closed',
    registers,
  });
  const returned = new Counter({
    name: 'placard_budget_returned_money_total',
    help: 'Money of closed leases that was not spent and is free again, currency units',
    registers,
  });
  const spent = new Counter({
    name: 'placard_budget_spent_money_total',
    help: 'Money of closed leases that impressions were charged for, currency units',
    registers,
  });
  const held = new Gauge({
    name: 'placard_budget_held_money',
    help: 'Granted and not spent money, currency units: open fills and slices in hand',
    labelNames: ['campaign'] as const,
    registers,
  });
  const stranded = gauge(
    'placard_budget_stranded_money',
    'Held money in slices of replicas that ended without a return, currency units',
  );
  const open = gauge('placard_budget_open_leases', 'Leases that are not closed');
  const overdue = gauge('placard_budget_overdue_leases', 'Leases that should be closed by now');
  return {
    closed(closed) {
      leases.inc(closed.leases);
      returned.inc(toUnits(closed.returnedNanos));
      spent.inc(toUnits(closed.spentNanos));
    },
    held(campaigns) {
      const sorted = [...campaigns].sort((a, b) => Number(b.heldNanos - a.heldNanos));
      held.reset();
      for (const each of sorted.slice(0, CAMPAIGNS_MAX))
        held.set({ campaign: each.campaignId }, toUnits(each.heldNanos));
      const rest = sorted.slice(CAMPAIGNS_MAX).reduce((sum, each) => sum + each.heldNanos, 0n);
      held.set({ campaign: 'other' }, toUnits(rest));
      stranded.set(toUnits(campaigns.reduce((sum, each) => sum + each.strandedNanos, 0n)));
      open.set(campaigns.reduce((sum, each) => sum + each.openLeases, 0));
      overdue.set(campaigns.reduce((sum, each) => sum + each.overdueLeases, 0));
    },
  };
}

function toUnits(nanos: bigint): number {
  return Number(nanos) / NANOS_PER_UNIT;
}
