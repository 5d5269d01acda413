import ts from 'typescript';
import { isTest, isTypeScript, parse, placeOf, type Fault, type SourceFile } from './source-files.js';

/**
 * Exports without a doc comment. One comment may describe a group of one-line declarations without empty lines between
 * them.
 */
export function docFaults(file: SourceFile): Fault[] {
  if (!isTypeScript(file) || isTest(file)) return [];
  const { statements } = parse(file);
  let isGroupDocumented = false;
  return statements.flatMap((statement, index) => {
    const isExported = hasModifier(statement, ts.SyntaxKind.ExportKeyword);
    const follows = isGroupDocumented && isNextLine(statements[index - 1], statement);
    const isDocumented = hasDoc(statement) || isOverload(statements[index - 1], statement);
    isGroupDocumented = isExported && (isDocumented || follows) && isOneLine(statement);
    if (!isExported || isDocumented || (follows && isOneLine(statement))) return [];
    return [`${placeOf(statement)}: ${nameOf(statement)} is exported without a doc comment`];
  });
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind)
  );
}

function hasDoc(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0;
}

function isOverload(previous: ts.Statement | undefined, statement: ts.Statement): boolean {
  return (
    previous !== undefined &&
    ts.isFunctionDeclaration(previous) &&
    ts.isFunctionDeclaration(statement) &&
    previous.body === undefined &&
    previous.name?.text === statement.name?.text
  );
}

function lineOf(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line;
}

function isNextLine(previous: ts.Statement | undefined, statement: ts.Statement): boolean {
  const file = statement.getSourceFile();
  return previous !== undefined && lineOf(file, statement.getStart(file)) === lineOf(file, previous.end) + 1;
}

function isOneLine(statement: ts.Statement): boolean {
  const file = statement.getSourceFile();
  return lineOf(file, statement.getStart(file)) === lineOf(file, statement.end);
}

function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((declaration) => declaration.name.getText()).join(', ');
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name?.getText() ?? 'something';
}
