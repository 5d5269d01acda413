import { asCampaignId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { CAMPAIGNS_MAX, makeBudgetMetrics } from './metrics.js';

const UNIT = 1_000_000_000n;

describe('the metrics of budget leases', () => {
  const valuesOf = async (registry: Registry, name: string): Promise<Record<string, number>> => {
    const metric = await registry.getSingleMetric(name)?.get();
    return Object.fromEntries(
      metric?.values.map(({ labels, value }) => [String(labels['campaign'] ?? ''), value]) ?? [],
    );
  };

  it('add up returned and spent money of closed leases', async () => {
    const registry = new Registry();
    const metrics = makeBudgetMetrics(registry);
    metrics.closed({ leases: 2, returnedNanos: 3n * UNIT, spentNanos: 5n * UNIT });
    metrics.closed({ leases: 1, returnedNanos: UNIT / 2n, spentNanos: 0n });
    expect(await valuesOf(registry, 'placard_budget_closed_leases_total')).to.deep.equal({ '': 3 });
    expect(await valuesOf(registry, 'placard_budget_returned_money_total')).to.deep.equal({ '': 3.5 });
    expect(await valuesOf(registry, 'placard_budget_spent_money_total')).to.deep.equal({ '': 5 });
  });

  it('name the campaigns that hold most money, and drop those that hold none any more', async () => {
    const registry = new Registry();
    const metrics = makeBudgetMetrics(registry);
    const held = Array.from({ length: CAMPAIGNS_MAX + 2 }, (_, at) => ({
      campaignId: asCampaignId(`cmp_${at}`),
      heldNanos: BigInt(at + 1) * UNIT,
      strandedNanos: UNIT,
      openLeases: 2,
      overdueLeases: at === 0 ? 1 : 0,
    }));
    metrics.held(held);
    const shown = await valuesOf(registry, 'placard_budget_held_money');
    expect(Object.keys(shown)).to.have.length(CAMPAIGNS_MAX + 1);
    expect(shown).to.include({ other: 3, [`cmp_${CAMPAIGNS_MAX + 1}`]: CAMPAIGNS_MAX + 2 });
    expect(await valuesOf(registry, 'placard_budget_stranded_money')).to.deep.equal({
      '': CAMPAIGNS_MAX + 2,
    });
    expect(await valuesOf(registry, 'placard_budget_open_leases')).to.deep.equal({
      '': 2 * (CAMPAIGNS_MAX + 2),
    });
    expect(await valuesOf(registry, 'placard_budget_overdue_leases')).to.deep.equal({ '': 1 });
    metrics.held([]);
    expect(await valuesOf(registry, 'placard_budget_held_money')).to.deep.equal({ other: 0 });
  });
});
