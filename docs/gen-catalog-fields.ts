// Part of `npm run gen`: writes the tables of fields in docs/catalog-file.md, each between its two marks.
import { readFileSync, writeFileSync } from 'node:fs';
import {
  CATALOG_SCHEMA,
  FIELDS,
  OBJECT_KINDS,
  type Fallback,
  type ObjectKind,
} from '../service-kit/src/pure/index.js';

const PAGE = new URL('catalog-file.md', import.meta.url);
const HEAD = '| field | default | meaning |\n|---|---|---|\n';

function tableOf(kind: ObjectKind): string {
  const ofFile = FIELDS[kind].filter(([, { role }]) => role !== 'parent' && role !== 'paid');
  const rows = ofFile.map(([, field]) => row(field.name, shown(field.fallback), field.meaning));
  return HEAD + [...rows, ...childRows(kind)].join('');
}

function childRows(kind: ObjectKind): string[] {
  const children = OBJECT_KINDS.filter((child) =>
    FIELDS[child].some(([, { role, name }]) => role === 'parent' && name === kind),
  );
  return children.map((child) => {
    const section = CATALOG_SCHEMA[child].section ?? '';
    return row(section, '', `list of ${section}`);
  });
}

function row(name: string, fallback: string, meaning: string): string {
  return `| \`${name}\` |${fallback === '' ? '' : ` \`${fallback}\``} | ${meaning} |\n`;
}

function shown(fallback: Fallback | undefined): string {
  if (fallback === undefined) return '';
  return typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
}

let page = readFileSync(PAGE, 'utf8');
for (const kind of OBJECT_KINDS) {
  const [begin, end] = [`<!-- fields of ${kind}: npm run gen -->\n`, `<!-- end of ${kind} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/catalog-file.md has no ${begin.trim()} … ${end}`);
  page = page.slice(0, from) + begin + '\n' + tableOf(kind) + '\n' + page.slice(to);
}
writeFileSync(PAGE, page);
