import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { listedMetrics, namedNodeMetrics } from './observability/metric-list.js';
import { ALERT_CASES } from './outages/alert-cases.js';
import { firesIn, type AlertCase } from './outages/fires.js';
import { OUTAGES } from './outages/outages.js';
import { leavingPhones, refusedCalls } from './outages/made-up.js';
import { findPromtool, runPromtool } from './outages/promtool.js';
import { readRecording, recordedNames } from './outages/recording.js';
import { ALERTS } from './outages/rules.js';
import { outageTable, writtenTable } from './outages/table.js';

const RULES = new URL('../deploy/observability/alerts.yaml', import.meta.url);
/** Labels that Prometheus adds when it scrapes, and the one of a bucket. */
const ADDED = ['job', 'instance', 'namespace', 'le'];
const UNPACK_MS_MAX = 120_000;

describe('alerts in recorded outages of a running product', () => {
  before('promtool is here', () => findPromtool()).timeout(UNPACK_MS_MAX);

  it('each alert has an outage that raises it', () => {
    expect([...new Set(ALERT_CASES.map(({ alert }) => alert))]).to.have.members([...ALERTS]);
  });

  it('docs/slo.md has the outages and their alerts', () => {
    expect(writtenTable()).to.equal(outageTable());
  });

  it('each recording is of an outage that `npm run record:outages` makes, and none is missing', () => {
    expect(recordedNames()).to.have.members(OUTAGES.map(({ name }) => name));
    for (const { name, what } of OUTAGES) expect(readRecording(name).what).to.equal(what);
  });

  it('recordings have only metrics and labels that the running product has today', () => {
    const listed = new Map(listedMetrics().map((metric) => [metric.name, metric]));
    for (const name of recordedNames())
      for (const key of readRecording(name).series.keys()) {
        const [, series = '', labels = ''] = /^(\w+)\{(.*)\}$/.exec(key) ?? [];
        const job = /job="([a-z-]+)"/.exec(labels)?.[1] ?? '';
        if (series === 'up' || namedNodeMetrics().has(series)) continue;
        const metric = listed.get(series) ?? listed.get(series.replace(/_(bucket|sum|count)$/, ''));
        expect(metric, `${name}: ${key}`).to.not.equal(undefined);
        expect(metric?.processes, `${name}: ${key}`).to.include(job);
        const own = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
        expect([...(metric?.labels ?? []), ...ADDED], `${name}: ${key}`).to.include.members(own);
      }
  });

  it('Prometheus accepts every rule', async () => {
    expect(await runPromtool('check', { 'alerts.yaml': readFileSync(RULES, 'utf8') })).to.equal(null);
  });

  for (const test of ALERT_CASES)
    it(titleOf(test), async () => {
      expect(await firesIn(readRecording(test.outage), test)).to.equal(null);
    });

  for (const [alert, route] of [
    ['PlacardApiErrorsFast', '/v1/ads/request'],
    ['PlacardEventErrorsFast', '/v1/events/impression'],
  ] as const) {
    const fires = (afterSeconds: number): Promise<string | null> =>
      firesIn(leavingPhones(route, afterSeconds), { alert, outage: 'made up', withinSeconds: 1_200 });

    it(`${alert} fires when phones get no answer and leave after a second, or after 0.3 seconds`, async () => {
      expect(await fires(1)).to.equal(null);
      expect(await fires(0.3)).to.equal(null);
    });

    it(`${alert} does not fire when clients leave early, on their own`, async () => {
      expect(await fires(0.2)).to.contain('got: nil');
    });
  }

  it('a call without the key of a server is unproven, and no alert says that a certificate was used', async () => {
    const fires = (alert: string): Promise<string | null> =>
      firesIn(refusedCalls('keyless'), { alert, outage: 'made up', withinSeconds: 600 });
    expect(await fires('PlacardCallUnproven')).to.equal(null);
    expect(await fires('PlacardCallForbidden')).to.contain('got: nil');
  });

  it('no alert fires in an outage that it does not see', async () => {
    const complaint = await firesIn(readRecording('console-service-gone'), {
      alert: 'PlacardRedisLost',
      outage: 'console-service-gone',
      withinSeconds: 600,
    });
    expect(complaint).to.contain('got: nil');
  });
});

function titleOf({ alert, outage, labels = {}, withinSeconds }: AlertCase): string {
  const of = Object.values(labels).map((value) => ` (${value})`);
  return `${alert}${of.join('')} fires within ${withinSeconds / 60} minutes of ${outage}, and not before`;
}
