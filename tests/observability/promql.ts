import { parser } from '@prometheus-io/lezer-promql';
import type { ListedMetric } from './metric-list.js';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** Labels that Prometheus adds when it scrapes. */
const TARGET_LABELS: readonly string[] = ['job', 'instance', 'namespace', 'pod'];
/** Series that Prometheus itself makes for every target. */
const TARGET_SERIES: ReadonlySet<string> = new Set(['up']);
/** Aggregations that add up the values of several replicas. */
const ADDS_UP: ReadonlySet<string> = new Set(['Sum', 'Avg']);
/** Metrics of Node.js itself, as in docs/metrics.md. */
const NODE_METRICS = /^(nodejs|process)_[a-z0-9_]+$/;

/** Names that a query may use. */
export interface Names {
  readonly metrics: readonly ListedMetric[];
  /** Names that recording rules give. */
  readonly recorded: ReadonlySet<string>;
  /** Metrics of Node.js itself. */
  readonly node: ReadonlySet<string>;
}

/** Faults of a query: its grammar, unknown metrics, and labels that its metrics do not have. */
export function queryFaults(query: string, names: Names): readonly string[] {
  // Grafana replaces its variable by a duration.
  const text = query.replaceAll('$__rate_interval', '5m');
  const faults: string[] = [];
  const labels = new Set(TARGET_LABELS);
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) faults.push(`is no PromQL at "${text.slice(from, from + 20)}"`);
      if (type.name === 'VectorSelector') faults.push(...selectorFaults(node, text, names, labels));
      if (type.name === 'AggregateExpr') faults.push(...sharedFaults(node, text, names));
      if (type.name === 'LabelName' && node.parent?.type.name === 'GroupingLabels')
        grouping.push(text.slice(from, to));
    },
  });
  for (const label of grouping)
    if (!labels.has(label)) faults.push(`groups by ${label}, which none of its metrics has`);
  return faults.map((fault) => `${query}: ${fault}`);
}

/** Faults of a query over all environments. Each of its results must belong to one environment. */
export function namespaceFaults(query: string): readonly string[] {
  return aggregations(query)
    .filter(({ grouping }) => !grouping.includes('namespace'))
    .map(({ text }) => `${query}: ${text} mixes the environments`);
}

/** Faults of a query that must select the environment in a dashboard's variable. */
export function variableFaults(query: string): readonly string[] {
  const faults: string[] = [];
  parser.parse(query.replaceAll('$__rate_interval', '5m')).iterate({
    enter({ type, node }) {
      if (type.name !== 'VectorSelector') return;
      const selector = query.replaceAll('$__rate_interval', '5m').slice(node.from, node.to);
      if (!selector.includes('namespace="$namespace"'))
        faults.push(`${query}: ${selector} is of any environment`);
    },
  });
  return faults;
}

function aggregations(
  query: string,
): readonly { readonly text: string; readonly grouping: readonly string[] }[] {
  const found: { readonly text: string; readonly grouping: readonly string[] }[] = [];
  parser.parse(query).iterate({
    enter({ type, node }) {
      if (type.name !== 'AggregateExpr') return;
      const labels =
        node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
      const isBy = node.getChild('AggregateModifier')?.getChild('By') !== null;
      found.push({
        text: query.slice(node.from, node.to),
        grouping: isBy ? labels.map(({ from, to }) => query.slice(from, to)) : [],
      });
    },
  });
  return found;
}

/** Faults of sums over replicas of a metric that has the same value on each replica. */
function sharedFaults(node: SyntaxNode, text: string, { metrics }: Names): readonly string[] {
  const addsUp = [...ADDS_UP].some((name) => node.getChild('AggregateOp')?.getChild(name) != null);
  if (!addsUp) return [];
  const inner = text.slice(node.from, node.to);
  return metrics
    .filter(({ name, isShared }) => isShared && new RegExp(`\\b${name}\\b`).test(inner))
    .map(({ name }) => `adds up ${name}, which is the same on each replica`);
}

function selectorFaults(
  node: SyntaxNode,
  text: string,
  names: Names,
  labels: Set<string>,
): readonly string[] {
  const identifier = node.getChild('Identifier');
  const name = identifier === null ? '' : text.slice(identifier.from, identifier.to);
  const known = labelsOf(name, names);
  if (known === null) return [`there is no metric ${name}`];
  for (const label of known) labels.add(label);
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return matchers.flatMap((matcher) => {
    const label = matcher.getChild('LabelName');
    const word = label === null ? '' : text.slice(label.from, label.to);
    return [...TARGET_LABELS, ...known].includes(word) ? [] : [`${name} has no label ${word}`];
  });
}

/** The labels of a series; null: the series is unknown. */
function labelsOf(series: string, { metrics, recorded, node }: Names): readonly string[] | null {
  if (recorded.has(series) || TARGET_SERIES.has(series)) return [];
  if (NODE_METRICS.test(series)) return node.has(series.replace(/_(sum|count)$/, '')) ? [] : null;
  const [, base = series, part] = /^(.*)_(bucket|sum|count)$/.exec(series) ?? [];
  const metric = metrics.find(
    ({ name, type }) => name === base && (type === 'histogram') === (part !== undefined),
  );
  if (metric === undefined) return null;
  return part === 'bucket' ? [...metric.labels, 'le'] : metric.labels;
}
