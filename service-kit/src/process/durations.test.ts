import { expect } from 'chai';
import { Histogram, Registry } from 'prom-client';
import { Durations, DURATION_BUCKETS } from './durations.js';

describe('Durations', () => {
  const MS = [0, 0.4, 1, 1.1, 2, 30, 999.9, 5_000, 5_000.1, 90_000];

  it('give the same output as a histogram of prom-client', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const durations = new Durations({ name: 'x_seconds', help: 'Help', registry: ours });
    const histogram = new Histogram({
      name: 'x_seconds',
      help: 'Help',
      labelNames: ['method', 'outcome'] as const,
      buckets: DURATION_BUCKETS,
      registers: [theirs],
    });
    expect(await ours.metrics()).to.equal(await theirs.metrics());
    const observe = durations.of({ method: 'a"b' });
    for (const [index, ms] of MS.entries()) {
      const outcome = index % 3 === 0 ? 'unavailable' : 'ok';
      observe(outcome, ms);
      histogram.observe({ method: 'a"b', outcome }, ms / 1_000);
    }
    expect(linesOf(await ours.metrics())).to.deep.equal(linesOf(await theirs.metrics()));
    ours.resetMetrics();
    expect(await ours.metrics()).to.include('x_seconds_count{method="a\\"b",outcome="ok"} 0');
  });
});

/** Sorts the labels, whose order is free. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) =>
      line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`),
    );
}
