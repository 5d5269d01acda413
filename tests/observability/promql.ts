import { parser } from '@prometheus-io/lezer-promql';
import type { ListedMetric } from './metric-list.js';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** Labels that Prometheus adds when it scrapes. */
const TARGET_LABELS: readonly string[] = ['job', 'instance', 'namespace', 'pod'];
/** Of Node.js itself, as docs/metrics.md names them. */
const NODE_METRICS = /^(nodejs|process)_[a-z0-9_]+$/;

/** What a query may name. */
export interface Names {
  readonly metrics: readonly ListedMetric[];
  /** Names that recording rules give. */
  readonly recorded: ReadonlySet<string>;
  /** Of Node.js itself. */
  readonly node: ReadonlySet<string>;
}

/** What is wrong with a query: its grammar, a metric that does not exist, a label that the metric does not have. */
export function queryFaults(query: string, names: Names): readonly string[] {
  // Grafana's own variable stands for a duration.
  const text = query.replaceAll('$__rate_interval', '5m');
  const faults: string[] = [];
  const labels = new Set(TARGET_LABELS);
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) faults.push(`is no PromQL at "${text.slice(from, from + 20)}"`);
      if (type.name === 'VectorSelector') faults.push(...selectorFaults(node, text, names, labels));
      if (type.name === 'LabelName' && node.parent?.type.name === 'GroupingLabels')
        grouping.push(text.slice(from, to));
    },
  });
  for (const label of grouping)
    if (!labels.has(label)) faults.push(`groups by ${label}, which none of its metrics has`);
  return faults.map((fault) => `${query}: ${fault}`);
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

/** Null: there is no such series. */
function labelsOf(series: string, { metrics, recorded, node }: Names): readonly string[] | null {
  if (recorded.has(series)) return [];
  if (NODE_METRICS.test(series)) return node.has(series.replace(/_(sum|count)$/, '')) ? [] : null;
  const [, base = series, part] = /^(.*)_(bucket|sum|count)$/.exec(series) ?? [];
  const metric = metrics.find(
    ({ name, type }) => name === base && (type === 'histogram') === (part !== undefined),
  );
  if (metric === undefined) return null;
  return part === 'bucket' ? [...metric.labels, 'le'] : metric.labels;
}
