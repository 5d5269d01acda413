import type { Fault, SourceFile } from './source-files.js';

/** Faults of the header of an SQL or Lua file: the comment lines at the top that describe it and its parameters. */
export function headerFaults(file: SourceFile): Fault[] {
  const isSql = file.path.endsWith('.sql');
  if (!isSql && !file.path.endsWith('.lua')) return [];
  const { header, body } = split(file.text);
  if (header === '')
    return [`${file.path}: begins without a comment; describe the file and name its parameters`];
  return isSql ? sqlFaults(file.path, header, body) : luaFaults(file.path, header, body);
}

function split(text: string): { readonly header: string; readonly body: string } {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  const first = end === -1 ? lines.length : end;
  return { header: lines.slice(0, first).join('\n'), body: withoutComments(lines.slice(first)) };
}

function withoutComments(lines: readonly string[]): string {
  return lines.map((line) => line.replace(/--.*$/, '')).join('\n');
}

function sqlFaults(path: string, header: string, body: string): Fault[] {
  // The body of a function ($$ … $$) has its own names.
  const used = new Set(body.match(/\$\d+/g) ?? []);
  const named = new Set(header.match(/\$\d+/g) ?? []);
  const missing = [...used].filter((name) => !named.has(name));
  const surplus = [...named].filter((name) => !used.has(name));
  return [
    ...missing.map((name) => `${path}: uses ${name}, which its header does not name`),
    ...surplus.map((name) => `${path}: its header names ${name}, which it does not use`),
  ];
}

function luaFaults(path: string, header: string, body: string): Fault[] {
  return ['KEYS', 'ARGV']
    .filter((name) => new RegExp(`\\b${name}\\b`).test(body) && !new RegExp(`\\b${name}\\b`).test(header))
    .map((name) => `${path}: uses ${name}, which its header does not name`);
}
