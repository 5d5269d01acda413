import ts from 'typescript';
import { isTypeScript, parse, placeOf, visit, type Fault, type SourceFile } from './source-files.js';

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const ENTRY_LINES_MAX = 20;

/** Faults against the longest file, and the longest entry of a process. */
export function fileSizeFaults({ path, text }: SourceFile): Fault[] {
  const lineCount = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const isEntry = /^[a-z]+(-service)?\/src\/(main|worker|migrate)\.ts$/.test(path);
  const linesMax = isEntry ? ENTRY_LINES_MAX : FILE_LINES_MAX;
  if (lineCount <= linesMax) return [];
  return [`${path}: has ${lineCount} lines, ${linesMax} at most; split it by what its parts are about`];
}

/** Faults against the longest function. The body of a `describe` is a list of tests, so that only its tests count. */
export function functionSizeFaults(file: SourceFile): Fault[] {
  if (!isTypeScript(file) && !/\.m?js$/.test(file.path)) return [];
  const faults: Fault[] = [];
  visit(parse(file), (node) => {
    if (!ts.isFunctionLike(node) || isDescribeBody(node)) return;
    const lineCount = linesOf(node);
    if (lineCount <= FUNCTION_LINES_MAX) return;
    const what = nameOf(node);
    faults.push(
      `${placeOf(node)}: ${what} has ${lineCount} lines, ${FUNCTION_LINES_MAX} at most; name its steps as functions`,
    );
  });
  return faults;
}

function linesOf(node: ts.Node): number {
  const file = node.getSourceFile();
  const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
  return file.getLineAndCharacterOfPosition(node.end).line - first + 1;
}

function isDescribeBody(node: ts.Node): boolean {
  if (isCallOfDescribe(node.parent)) return true;
  // A function whose only statement is a `describe`: a suite that several implementations share.
  if (!ts.isFunctionDeclaration(node) || node.body === undefined) return false;
  const [only, ...others] = node.body.statements;
  return (
    others.length === 0 &&
    only !== undefined &&
    ts.isExpressionStatement(only) &&
    isCallOfDescribe(only.expression)
  );
}

function isCallOfDescribe(node: ts.Node): boolean {
  return ts.isCallExpression(node) && /^describe(\.\w+)?$/.test(node.expression.getText());
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText();
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : 'a function';
}
