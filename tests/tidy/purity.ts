import ts from 'typescript';
import { serviceOf } from './imports.js';
import { isTest, isTypeScript, parse, placeOf, visit, type Fault, type SourceFile } from './source-files.js';

const IMPURE_MEMBERS: ReadonlySet<string> = new Set(['Date.now', 'Math.random']);
const IMPURE_NAMES: ReadonlySet<string> = new Set([
  'process',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'crypto',
  'console',
]);

/** Faults of a domain file against "pure decisions: no clock, randomness, I/O, async; they are arguments". */
export function purityFaults(file: SourceFile): Fault[] {
  const service = serviceOf(file.path);
  if (service === null || !file.path.startsWith(`${service}/src/domain/`)) return [];
  if (!isTypeScript(file) || isTest(file)) return [];
  const faults: Fault[] = [];
  visit(parse(file), (node) => {
    const what = impurityOf(node);
    if (what !== null)
      faults.push(`${placeOf(node)}: the domain uses ${what}; pass its result in as an argument`);
  });
  return faults;
}

function impurityOf(node: ts.Node): string | null {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return '`async`';
  if (ts.isAwaitExpression(node)) return '`await`';
  if (ts.isPropertyAccessExpression(node)) {
    const text = node.getText();
    return IMPURE_MEMBERS.has(text) ? text : null;
  }
  if (
    ts.isNewExpression(node) &&
    node.expression.getText() === 'Date' &&
    (node.arguments ?? []).length === 0
  ) {
    return 'new Date()';
  }
  if (ts.isIdentifier(node) && IMPURE_NAMES.has(node.text) && isUse(node)) return node.text;
  return null;
}

/** Called or reached into, and not itself the name of a member: `process.env`, `fetch(…)`. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return parent.expression === node;
  return ts.isPropertyAccessExpression(parent) && parent.expression === node;
}
