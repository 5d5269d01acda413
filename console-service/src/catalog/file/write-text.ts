import type { PlacementReward } from '@placard/service-kit/pure';
import type { ExportNode, ExportTree } from '../domain/export-tree.js';
import type { CapValue, FieldValue } from '../domain/field-types.js';

/** Top-level objects that are written between two pauses, so that a large catalog does not block the process. */
const NODES_PER_BREATH = 50;
/** Texts that need no quotes anywhere in YAML. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_.-]*(?: [A-Za-z0-9_.-]+)*$/;
/** Words that readers of some YAML version do not read as text. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** The first line of an export of the whole catalog. */
export function exportHead(version: number): string {
  return `# Version ${version} of the catalog. Apply an edited copy with --if-version ${version}, so that it undoes no later change.\n`;
}

/** The first line of an export of some objects. */
export function partHead(version: number): string {
  return `# A part of version ${version} of the catalog. Apply an edited copy without --prune.\n`;
}

/**
 * Writes a catalog as the YAML that `apply` accepts: block style, with JSON's quotes where a text needs quotes. The YAML
 * library would take twenty times as long, minutes for the largest catalog.
 * Contract: docs/cli.md#catalog-export.
 */
export async function writeText(tree: ExportTree, breathe: () => Promise<void>): Promise<string> {
  const lines: string[] = [];
  if (tree.global !== null) {
    lines.push('global:');
    addMembers(lines, tree.global, '  ', '  ');
  }
  for (const { name, nodes } of tree.sections) {
    lines.push(nodes.length === 0 ? `${name}: []` : `${name}:`);
    for (const [index, node] of nodes.entries()) {
      addMembers(lines, node, '  - ', '    ');
      if (index % NODES_PER_BREATH === 0) await breathe();
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Adds a node's members; `first` is the prefix of the first one, `rest` that of the others. */
function addMembers(lines: string[], node: ExportNode, first: string, rest: string): void {
  let lead = first;
  for (const [key, given] of Object.entries(node)) {
    const value = isReward(given) ? { ...given } : given;
    if (isNodeList(value)) {
      lines.push(`${lead}${key}:`);
      for (const child of value) addMembers(lines, child, `${rest}  - `, `${rest}    `);
    } else if (isNode(value)) {
      lines.push(`${lead}${key}:`);
      addMembers(lines, value, `${rest}  `, `${rest}  `);
    } else {
      lines.push(`${lead}${key}: ${inline(value)}`);
    }
    lead = rest;
  }
}

type Member = ExportNode[string];

function isNodeList(value: Member): value is readonly ExportNode[] {
  return Array.isArray(value) && typeof value[0] === 'object';
}

function isNode(value: Member): value is ExportNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isCap(value);
}

function isCap(value: Member): value is CapValue {
  return typeof value === 'object' && value !== null && 'period' in value;
}

/** A field of a placement, in lines of its own because of its address. */
function isReward(value: Member): value is PlacementReward {
  return typeof value === 'object' && value !== null && 'callback_url' in value;
}

function inline(value: Exclude<FieldValue, PlacementReward> | readonly ExportNode[]): string {
  if (isCap(value)) return `{ count: ${value.count}, period: ${value.period} }`;
  if (typeof value === 'object' && value !== null) return `[${value.map(scalar).join(', ')}]`;
  return scalar(value);
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return PLAIN.test(value) && !WORDS.test(value) ? value : JSON.stringify(value);
}
