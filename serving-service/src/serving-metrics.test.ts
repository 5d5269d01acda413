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
});
