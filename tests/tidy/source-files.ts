import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** One hand-written file of the repository. */
export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The place, the fault and the remedy on one line. */
export type Fault = string;

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders with generated or foreign files. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', 'gen']);
const CODE: ReadonlySet<string> = new Set([
  '.ts',
  '.tsx',
  '.mts',
  '.mjs',
  '.js',
  '.cjs',
  '.sql',
  '.lua',
  '.sh',
]);

/** Paths of all folders and files that are written by hand, from the root, with `/`, without hidden ones. */
export function listPaths(folder: string = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || SKIPPED_FOLDERS.has(entry.name)) return [];
    const full = join(folder, entry.name);
    const path = relative(ROOT, full).split(sep).join('/');
    return entry.isDirectory() ? [path, ...listPaths(full)] : [path];
  });
}

/** Every file of code. */
export function readCode(): SourceFile[] {
  return readAll((path) => CODE.has(extname(path)));
}

/** Every page of Markdown. */
export function readMarkdown(): SourceFile[] {
  return readAll((path) => extname(path) === '.md');
}

function readAll(isWanted: (path: string) => boolean): SourceFile[] {
  return listPaths()
    .filter(isWanted)
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** Whether a file is TypeScript, except for declarations of foreign modules. */
export function isTypeScript({ path }: SourceFile): boolean {
  return /\.m?tsx?$/.test(path) && !path.endsWith('.d.ts');
}

/** Whether a file contains tests. */
export function isTest({ path }: SourceFile): boolean {
  return path.endsWith('.test.ts');
}

/** Parses a file with the TypeScript parser, with parents set. */
export function parse({ path, text }: SourceFile): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** `path:line` of a node, as editors open it. */
export function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return `${file.fileName}:${line + 1}`;
}
