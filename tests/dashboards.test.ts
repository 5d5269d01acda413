import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { listedMetrics, namedNodeMetrics } from './observability/metric-list.js';
import { queryFaults, type Names } from './observability/promql.js';

const FOLDER = new URL('../deploy/observability/', import.meta.url);
interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Dashboard {
  readonly uid: string;
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

describe('dashboards, alert rules and objectives', () => {
  for (const file of readdirSync(new URL('dashboards/', FOLDER)))
    it(`${file} asks only for metrics and labels that exist`, () => {
      const text = readFileSync(new URL(`dashboards/${file}`, FOLDER), 'utf8');
      const { uid, panels } = JSON.parse(text) as Dashboard;
      expect(`${uid}.json`).to.equal(`placard-${file}`);
      const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
      expect(queries).to.have.length.above(0);
      expect(queries.flatMap((query) => queryFaults(query, names))).to.deep.equal([]);
    });

  it('alert and recording rules ask only for metrics and labels that exist', () => {
    expect(rules.flatMap(({ expr }) => queryFaults(expr, names))).to.deep.equal([]);
  });

  it('each alert has a name of its own, a severity, a summary and a runbook', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).to.equal(alerts.length);
    for (const { alert, labels, annotations } of alerts) {
      expect(labels?.['severity'], alert).to.be.oneOf(['page', 'ticket']);
      expect(annotations?.['summary'], alert).to.be.a('string');
      const runbook = annotations?.['runbook_url'] ?? '';
      expect(runbook, alert).to.match(/^docs\/runbooks\/[a-z-]+\.md$/);
      expect(existsSync(new URL(`../${runbook}`, import.meta.url)), runbook).to.equal(true);
    }
  });

  it('objectives are measured with metrics that exist, and each has its alerts', () => {
    const text = readFileSync(new URL('../docs/slo.md', import.meta.url), 'utf8');
    const queries = [...text.matchAll(/```promql\n([^`]*)```/g)].map(([, query = '']) => query.trim());
    expect(queries).to.have.length.above(3);
    expect(queries.flatMap((query) => queryFaults(query, names))).to.deep.equal([]);
    const named = [...text.matchAll(/`(Placard[A-Za-z]+)`/g)].map(([, name]) => name);
    expect(alerts.map(({ alert }) => alert)).to.include.members(named);
  });

  it('a query is refused that is none, names no metric, or a label that its metric lacks', () => {
    const wrong = [
      'sum(rate(placard_outbox_events[5m])',
      'placard_outbox_event',
      'placard_settlement_lag_seconds',
      'placard_outbox_events{route="/v1"}',
      'sum by (route) (placard_outbox_events)',
      'nodejs_no_such_thing',
    ];
    for (const query of wrong) expect(queryFaults(query, names), query).to.have.length.above(0);
  });
});
