import { expect } from 'chai';
import { Registry } from 'prom-client';
import { makeServiceMetrics } from './metrics.js';

describe('the metrics of events-service', () => {
  it('show each receiver of background items from 0 on, so that the first loss is an increase', async () => {
    const registry = new Registry();
    const metrics = makeServiceMetrics(registry);
    const values = async (): Promise<Record<string, number>> => {
      const metric = await registry.getSingleMetric('placard_events_background_dropped_total')?.get();
      return Object.fromEntries(
        metric?.values.map(({ labels, value }) => [String(labels['receiver']), value]) ?? [],
      );
    };
    expect(await values()).to.deep.equal({
      'serving-service': 0,
      budgets: 0,
      'fraud-service': 0,
      reports: 0,
    });
    metrics.dropped('reports', 2);
    expect(await values()).to.deep.equal({
      'serving-service': 0,
      budgets: 0,
      'fraud-service': 0,
      reports: 2,
    });
  });
});
