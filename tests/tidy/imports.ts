import { posix } from 'node:path';
import ts from 'typescript';
import { parse, placeOf, visit, type SourceFile } from './source-files.js';

/** The deployable services, each its own folder. */
export const SERVICES: readonly string[] = [
  'gateway',
  'session-service',
  'serving-service',
  'events-service',
  'fraud-service',
  'console-service',
];

/** One import, export-from or dynamic import with a fixed text. */
export interface Import {
  /** `path:line` */
  readonly place: string;
  /** As written. */
  readonly specifier: string;
  /** Imported names; empty for `* as`, side effects and `export *`. */
  readonly names: readonly string[];
  /** True: nothing is left of it at run time. */
  readonly isTypeOnly: boolean;
}

/** Every import of a file. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  visit(parse(file), (node) => {
    if (ts.isImportDeclaration(node)) found.push(fromImport(node));
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      found.push(make(node, textOf(node.moduleSpecifier), [], node.isTypeOnly));
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [target] = node.arguments;
      if (target !== undefined) found.push(make(node, textOf(target), [], false));
    }
  });
  return found;
}

function fromImport(node: ts.ImportDeclaration): Import {
  const clause = node.importClause;
  const bindings = clause?.namedBindings;
  const elements = bindings !== undefined && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
  const values = elements.filter((element) => !element.isTypeOnly);
  const isTypeOnly =
    clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
    (elements.length > 0 && values.length === 0 && clause?.name === undefined);
  const names = (isTypeOnly ? elements : values).map(
    (element) => (element.propertyName ?? element.name).text,
  );
  return make(node, textOf(node.moduleSpecifier), names, isTypeOnly);
}

function make(node: ts.Node, specifier: string, names: readonly string[], isTypeOnly: boolean): Import {
  return { place: placeOf(node), specifier, names, isTypeOnly };
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : '';
}

/** Where an import leads: a path from the root for what is ours, the specifier for a package. */
export function targetOf(fromPath: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(fromPath), specifier));
  return specifier;
}

/** The service that a path or specifier belongs to. Null: none. */
export function serviceOf(target: string): string | null {
  const [first = ''] = target.replace(/^@placard\//, '').split('/');
  return SERVICES.includes(first) ? first : null;
}
