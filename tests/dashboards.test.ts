import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { listedMetrics, namedNodeMetrics, PROCESSES } from './observability/metric-list.js';
import { namespaceFaults, queryFaults, variableFaults, type Names } from './observability/promql.js';

const FOLDER = new URL('../deploy/observability/', import.meta.url);
const DOCS = new URL('../docs/', import.meta.url);
const PROTOS = new URL('../protos/placard/', import.meta.url);
interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string }[] };
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const { groups } = parse(readFileSync(new URL('alerts.yaml', FOLDER), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const names: Names = {
  metrics: listedMetrics(),
  recorded: new Set(rules.flatMap(({ record }) => record ?? [])),
  node: namedNodeMetrics(),
};

/** Names of the services' calls in the form of the label `method`. */
const methods = filesOf(PROTOS, '.proto').flatMap((text) =>
  [...text.matchAll(/^ *rpc (\w)(\w*)\(/gm)].map(([, first = '', rest = '']) => first.toLowerCase() + rest),
);

function filesOf(folder: URL, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));
}

/** Methods in a query that no service has. */
function unknownMethods(text: string): readonly string[] {
  const asked = [...text.matchAll(/\bmethod="(\w+)"/g)].map(([, method = '']) => method);
  return asked.filter((method) => !methods.includes(method));
}

/** The part of the canary's template that this test reads. */
interface Analysis {
  readonly spec: {
    readonly metrics: readonly {
      readonly successCondition: string;
      readonly provider: { readonly prometheus: { readonly query: string } };
    }[];
  };
}

describe('dashboards, alert rules and objectives', () => {
  it('the canary asks for recorded ratios and stops at the limits of the fast alerts', () => {
    const file = new URL('../deploy/k8s/components/canary/analysis.yaml', import.meta.url);
    const { metrics } = (parse(readFileSync(file, 'utf8')) as Analysis).spec;
    const asked = metrics.map(({ provider }) => provider.prometheus.query.replace(/:ratio_5m.*/s, ''));
    expect(asked).to.deep.equal(
      ['http_errors', 'events_errors', 'ad_requests_slow', 'impressions_slow'].map(
        (name) => `placard:${name}`,
      ),
    );
    for (const { successCondition, provider } of metrics) {
      const { query } = provider.prometheus;
      const recorded = query.replace(/\{.*/s, '');
      expect(queryFaults(query, names)).to.deep.equal([]);
      expect(names.recorded).to.include(recorded);
      const fast = alerts.find(({ alert, expr }) => alert?.endsWith('Fast') && expr.includes(recorded));
      const [, rate, budget] = /> ([\d.]+) \* ([\d.]+)/.exec(fast?.expr ?? '') ?? [];
      const condition = /^len\(result\) > 0 && \(isNaN\(result\[0\]\) \|\| result\[0\] < ([\d.]+)\)$/;
      const limit = Number(condition.exec(successCondition)?.[1]);
      expect(limit, query).to.be.closeTo(Number(rate) * Number(budget), 1e-9);
    }
  });

  for (const file of readdirSync(new URL('dashboards/', FOLDER)))
    it(`${file} queries only existing metrics and labels, of the chosen namespace`, () => {
      const text = readFileSync(new URL(`dashboards/${file}`, FOLDER), 'utf8');
      const { uid, panels, templating } = JSON.parse(text) as Dashboard;
      expect(`${uid}.json`).to.equal(`placard-${file}`);
      const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
      expect(queries).to.have.length.above(0);
      expect(queries.flatMap((query) => queryFaults(query, names))).to.deep.equal([]);
      expect(queries.flatMap(variableFaults)).to.deep.equal([]);
      expect(templating.list.map(({ name }) => name)).to.deep.equal(['datasource', 'namespace']);
    });

  it('alert and recording rules query only existing metrics and labels', () => {
    expect(rules.flatMap(({ expr }) => queryFaults(expr, names))).to.deep.equal([]);
  });

  it('rules and documents name only calls that services have', () => {
    expect(rules.flatMap(({ expr }) => unknownMethods(expr))).to.deep.equal([]);
    expect(filesOf(DOCS, '.md').flatMap(unknownMethods)).to.deep.equal([]);
    expect(unknownMethods('placard_rpc_client_seconds_count{method="ExchangeLeases"}')).to.have.length(1);
  });

  it('documents name only existing metrics and alerts', () => {
    const listed = new Set(listedMetrics().map(({ name }) => name));
    const known = (name: string): boolean =>
      listed.has(name) || listed.has(name.replace(/_(bucket|sum|count)$/, ''));
    for (const text of filesOf(DOCS, '.md')) {
      // Roles and databases have one underscore, metrics more.
      const metrics = [...text.matchAll(/`(placard(?:_[a-z0-9]+){2,})/g)].map(([, name = '']) => name);
      expect(metrics.filter((name) => !known(name))).to.deep.equal([]);
      const named = [...text.matchAll(/`(Placard[A-Za-z]+)`/g)].map(([, name]) => name);
      expect(alerts.map(({ alert }) => alert)).to.include.members(named);
    }
  });

  it('rules do not mix the namespaces of environments, and alerts name theirs', () => {
    expect(rules.flatMap(({ expr }) => namespaceFaults(expr))).to.deep.equal([]);
    for (const { alert, expr, annotations } of alerts)
      if (!expr.startsWith('absent('))
        expect(annotations?.['summary'], alert).to.contain('{{ $labels.namespace }}');
  });

  it('a client that left after more than 250 ms is bad for availability, and one that left earlier does not count', () => {
    const isRatio = (line: string): boolean => line.includes('status=~"5..|499"') && line.includes(') / (');
    const objectives = readFileSync(new URL('slo.md', DOCS), 'utf8').split('\n').filter(isRatio);
    const overview = JSON.parse(
      readFileSync(new URL('dashboards/overview.json', FOLDER), 'utf8'),
    ) as Dashboard;
    const shown = overview.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).filter(isRatio);
    expect([objectives.length, shown.length]).to.deep.equal([2, 2]);
    const left = /status="499", le="0.25"/g;
    for (const ratio of [...objectives, ...shown])
      for (const side of ratio.split(') / (')) expect(side.match(left), ratio).to.have.length(1);
    const recorded = rules.filter(({ record }) => /^placard:(http|events)_errors:/.test(record ?? ''));
    expect(recorded).to.have.length(11);
    for (const { record, expr } of recorded) {
      const early = record?.replace('_errors:ratio_', '_left_early:rate_') ?? '';
      expect(expr.split(early), record).to.have.length(3);
      expect(rules.find((rule) => rule.record === early)?.expr).to.contain('status="499", le="0.25"');
    }
    const slow = rules.filter(({ record }) => /_slow:ratio_/.test(record ?? ''));
    expect(slow).to.have.length(10);
    for (const { expr } of slow)
      expect(expr, 'counts by the time that the client waited').not.to.contain('499');
  });

  it('an alert fires for every process of which no replica is scraped', () => {
    const gone = alerts.find(({ alert }) => alert === 'PlacardProcessGone')?.expr ?? '';
    const missed = [...gone.matchAll(/"process", "([a-z-]+)"/g)].map(([, name]) => name);
    expect(missed).to.have.members([...PROCESSES]);
    const expected = gone.split('unless')[0] ?? '';
    expect(expected, 'also in a namespace without any replicas now')
      .to.contain('last_over_time(placard_build_info[1d])')
      .and.not.contain('(placard_build_info)');
  });

  it('queries of metrics that every Node.js program has select only Placard’s', () => {
    const common = rules.filter(({ expr }) => /\b(up|nodejs_\w+|process_\w+_\w+)\b/.test(expr));
    expect(common).to.have.length(4);
    for (const { expr } of common) expect(expr).to.match(/and on \(namespace, job\) .*placard_build_info/);
  });

  it('each alert has a unique name, a severity, a summary, a runbook that names it and a line in the list of runbooks', () => {
    const runbooks = readFileSync(new URL('../docs/runbooks/README.md', import.meta.url), 'utf8');
    expect(new Set(alerts.map(({ alert }) => alert)).size).to.equal(alerts.length);
    for (const { alert, labels, annotations } of alerts) {
      expect(labels?.['severity'], alert).to.be.oneOf(['page', 'ticket']);
      expect(annotations?.['summary'], alert).to.be.a('string');
      const runbook = annotations?.['runbook_url'] ?? '';
      expect(runbook, alert).to.match(/^https:\/\/placard\.example\.com\/docs\/runbooks\/[a-z-]+\.md$/);
      const file = new URL(`..${new URL(runbook).pathname}`, import.meta.url);
      expect(existsSync(file), runbook).to.equal(true);
      expect(readFileSync(file, 'utf8'), runbook).to.contain(`\`${alert}\``);
      const page = runbook.slice(runbook.lastIndexOf('/') + 1);
      const row = runbooks.split('\n').find((line) => line.includes(`\`${alert}\``));
      expect(row, alert).to.include(`(${page})`);
    }
  });

  it('objectives are measured with existing metrics, and each has its alerts', () => {
    const text = readFileSync(new URL('../docs/slo.md', import.meta.url), 'utf8');
    const queries = [...text.matchAll(/```promql\n([^`]*)```/g)].map(([, query = '']) => query.trim());
    expect(queries).to.have.length.above(3);
    expect(queries.flatMap((query) => queryFaults(query, names))).to.deep.equal([]);
    expect(queries.flatMap(namespaceFaults)).to.deep.equal([]);
    const named = [...text.matchAll(/`(Placard[A-Za-z]+)`/g)].map(([, name]) => name);
    expect(alerts.map(({ alert }) => alert)).to.include.members(named);
  });

  it('a query is refused when it is not PromQL, names an unknown metric, or a label that its metric lacks', () => {
    const wrong = [
      'sum(rate(placard_outbox_events[5m])',
      'placard_outbox_event',
      'placard_settlement_lag_seconds',
      'placard_outbox_events{route="/v1"}',
      'sum by (route) (placard_outbox_events)',
      'nodejs_no_such_thing',
      'sum by (namespace) (placard_outbox_events > 0)',
      'avg by (namespace) (placard_outbox_events)',
    ];
    for (const query of wrong) expect(queryFaults(query, names), query).to.have.length.above(0);
  });

  it('a query is refused when it mixes environments', () => {
    expect(namespaceFaults('max(placard_outbox_events)')).to.have.length(1);
    expect(namespaceFaults('count by (namespace) (count by (kid) (placard_key_ring_keys))')).to.have.length(
      1,
    );
    expect(namespaceFaults('max without (namespace) (placard_outbox_events)')).to.have.length(1);
    expect(variableFaults('max(placard_outbox_events{namespace="placard"})')).to.have.length(1);
    expect(variableFaults('up{namespace="$namespace"} == placard_build_info')).to.have.length(1);
  });
});
