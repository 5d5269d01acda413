import { makeTestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { makeServingMetrics } from './serving-metrics.js';

describe('the metrics of serving-service', () => {
  it('show fills from 0 on, so that a release without fills has a fill rate of 0', async () => {
    const scope = makeTestScope();
    makeServingMetrics(scope).onAnswer('no_eligible_campaign', false);
    const text = await scope.metrics.getSingleMetricAsString('placard_serving_answers_total');
    expect(text).to.match(/outcome="fill",test="false"\} 0$/m);
    expect(text).to.match(/outcome="fill",test="true"\} 0$/m);
    expect(text).to.match(/outcome="no_eligible_campaign",test="false"\} 1$/m);
    await scope.close();
  });

  it('count answers, steps without a part, lost rows, wants and waits, each by its label', async () => {
    const scope = makeTestScope();
    const metrics = makeServingMetrics(scope);
    metrics.onAnswer(null, false);
    metrics.onAnswer(null, true);
    metrics.onAnswer(null, true);
    metrics.onAnswer('frequency_capped', true);
    metrics.onDegraded('redis');
    metrics.onRowDropped();
    metrics.onWant('pace');
    metrics.onWait('late');
    metrics.onExchange(0.25);
    metrics.onIndexed(5, 0.5);
    metrics.onIndexed(4, 0.25);
    expect((await scope.metrics.metrics()).split('\n')).to.include.members([
      'placard_serving_answers_total{outcome="fill",test="false"} 1',
      'placard_serving_answers_total{outcome="fill",test="true"} 2',
      'placard_serving_answers_total{outcome="frequency_capped",test="true"} 1',
      'placard_serving_degraded_total{part="redis"} 1',
      'placard_serving_report_rows_dropped_total 1',
      'placard_serving_lease_wants_total{verdict="pace"} 1',
      'placard_serving_lease_waits_total{outcome="late"} 1',
      'placard_serving_lease_exchange_seconds_sum 0.25',
      'placard_serving_index_campaigns 4',
      'placard_serving_index_update_seconds_sum 0.75',
      'placard_serving_index_update_seconds_count 2',
    ]);
    await scope.close();
  });

  it('show what waits, is leased and is known when they are read, money in units of the currency', async () => {
    const scope = makeTestScope();
    let leasedNanos = 2_500_000_000n;
    makeServingMetrics(scope).watch({
      waitingRows: () => 3,
      skippedCampaigns: () => 4,
      leasedNanos: () => leasedNanos,
      trafficGroups: (isProven) => (isProven ? 5 : 6),
    });
    expect((await scope.metrics.metrics()).split('\n')).to.include.members([
      'placard_serving_report_rows_waiting 3',
      'placard_serving_spent_campaigns 4',
      'placard_serving_leased_money 2.5',
      'placard_serving_traffic_groups_proven 5',
      'placard_serving_traffic_groups_unproven 6',
    ]);
    leasedNanos = 0n;
    expect(await scope.metrics.getSingleMetricAsString('placard_serving_leased_money')).to.match(/ 0$/m);
    await scope.close();
  });
});
