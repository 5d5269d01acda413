import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

/** A recording rule or an alert of deploy/observability/alerts.yaml. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const FILE = new URL('../../deploy/observability/alerts.yaml', import.meta.url);

/** All rules, in their order. */
export const RULES: readonly Rule[] = (
  parse(readFileSync(FILE, 'utf8')) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
).groups.flatMap(({ rules }) => rules);

/** Names of all alerts. */
export const ALERTS: readonly string[] = RULES.flatMap(({ alert }) => alert ?? []);

/** The metrics that some rule reads, and the bounds of their buckets. */
export function usedMetrics(): { readonly names: ReadonlySet<string>; readonly bounds: ReadonlySet<string> } {
  const all = (pattern: RegExp): readonly string[] =>
    RULES.flatMap(({ expr }) => [...expr.matchAll(pattern)].map(([whole, inner]) => inner ?? whole));
  return {
    names: new Set(all(/\b(?:placard|process|nodejs)_\w+/g)),
    bounds: new Set(all(/\ble="([^"]+)"/g)),
  };
}

/** The alert and the recording rules that it needs, in their order. Throws for an alert that does not exist. */
export function rulesOf(alert: string): readonly Rule[] {
  const rule = RULES.find((each) => each.alert === alert);
  if (rule === undefined) throw new Error(`there is no alert ${alert}`);
  const needed = [rule];
  for (const each of [...RULES].reverse())
    if (each.record !== undefined && needed.some(({ expr }) => namesIn(expr).includes(each.record ?? '')))
      needed.unshift(each);
  return needed;
}

/** A rule file of some rules. */
export function ruleFile(rules: readonly Rule[]): string {
  return stringify({ groups: [{ name: 'tested', rules }] });
}

/** The names of metrics and recorded series in a query. */
export function namesIn(expr: string): readonly string[] {
  return [...expr.matchAll(/[a-z_]\w*(?::\w+)*/gi)].map(([name]) => name);
}
