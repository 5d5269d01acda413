import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { runPromtool } from './outages/promtool.js';

const NAMESPACE = 'placard';

/** The part of the canary's template that this test reads. */
interface Analysis {
  readonly spec: {
    readonly metrics: readonly {
      readonly name: string;
      readonly provider: { readonly prometheus: { readonly query: string } };
    }[];
  };
}

const deployed = (file: string): string =>
  readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8');
const RULES = deployed('observability/alerts.yaml');
const NO_RULES = 'groups: []\n';
const { metrics } = (parse(deployed('k8s/components/canary/analysis.yaml')) as Analysis).spec;

/** Figures of one gateway by minute, from its start: requests to a route, and how many of them failed or were slow. */
interface Figures {
  readonly route: string;
  readonly perMinute: number;
  readonly bad: number;
}

const SCRAPED = { series: `placard_build_info{namespace="${NAMESPACE}", process="gateway"}`, values: '1x12' };
const ROUTES = ['/v1/ads/request', '/v1/events/impression'] as const;

function seriesOf({ route, perMinute, bad }: Figures): readonly object[] {
  const grows = (by: number): string => `0+${by}x12`;
  const series = (name: string, labels: string, by: number): object => ({
    series: `placard_http_request_seconds_${name}{namespace="${NAMESPACE}", route="${route}", ${labels}}`,
    values: grows(by),
  });
  const good = perMinute - bad;
  return [
    ...['0.25', '0.5'].map((le) => series('bucket', `status="200", outcome="fill", le="${le}"`, good)),
    series('count', 'status="200", outcome="fill"', good),
    ...(bad === 0 ? [] : [series('count', 'status="500", outcome="server_error"', bad)]),
  ];
}

/** What is wrong with the results of all queries; null: each is the wanted one. Null wanted: no result. */
function resultsAre(wanted: number | null, rules: string, series: readonly object[]): Promise<string | null> {
  const promql_expr_test = metrics.map(({ provider }) => ({
    expr: `sum(${provider.prometheus.query.replaceAll('NAMESPACE', NAMESPACE)})`,
    eval_time: '10m',
    exp_samples: wanted === null ? [] : [{ labels: '{}', value: wanted }],
  }));
  const tests = [{ interval: '1m', input_series: series, promql_expr_test }];
  const file = { rule_files: ['rules.yaml'], evaluation_interval: '30s', tests };
  return runPromtool('test', { 'test.yaml': JSON.stringify(file), 'rules.yaml': rules });
}

describe('a canary is judged by its four ratios', () => {
  const traffic = (bad: number): readonly object[] => [
    SCRAPED,
    ...ROUTES.flatMap((route) => seriesOf({ route, perMinute: 60, bad })),
  ];

  it('which are those of the requests', async () => {
    expect(await resultsAre(0.5, RULES, traffic(30))).to.equal(null);
  });

  it('which are 0 when no request failed or was slow', async () => {
    expect(await resultsAre(0, RULES, traffic(0))).to.equal(null);
  });

  it('which are 0 when there is no request', async () => {
    expect(await resultsAre(0, RULES, [SCRAPED])).to.equal(null);
  });

  it('which have no result, a failure, when there are requests and Prometheus does not have the rules', async () => {
    expect(await resultsAre(null, NO_RULES, traffic(0))).to.equal(null);
  });

  it('which have no result, a failure, when no gateway is scraped', async () => {
    expect(await resultsAre(null, RULES, [])).to.equal(null);
  });
});
