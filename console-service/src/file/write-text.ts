import { stringify } from 'yaml';
import type { ExportTree } from '../domain/export-tree.js';

/** How many objects of the top level are written between two breaths, so that a big catalog stops nobody else. */
const NODES_PER_BREATH = 50;
const INDENT = 2;

/** Writes a catalog as the YAML that `apply` accepts. Specification: The catalog file. */
export async function writeText(tree: ExportTree, breathe: () => Promise<void>): Promise<string> {
  const parts: string[] = [];
  if (tree.global !== null) parts.push(stringify({ global: tree.global }, { indent: INDENT }));
  for (const { name, nodes } of tree.sections) {
    parts.push(nodes.length === 0 ? `${name}: []\n` : `${name}:\n`);
    for (let at = 0; at < nodes.length; at += NODES_PER_BREATH) {
      parts.push(
        indented(stringify(nodes.slice(at, at + NODES_PER_BREATH), { indent: INDENT, lineWidth: 0 })),
      );
      await breathe();
    }
  }
  return parts.join('');
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(INDENT));
}
