// Part of `npm run gen`: writes the table of operations and roles in docs/access.md, between its two marks.
import { readFileSync, writeFileSync } from 'node:fs';
import { endpointsOf, type ApiDocument } from '../console-service/src/manage/domain/api-document.js';

const PAGE = new URL('access.md', import.meta.url);
const DOCUMENT = new URL('../console-service/openapi.json', import.meta.url);
const [BEGIN, END] = ['<!-- operations: npm run gen -->\n', '<!-- end of operations -->'];

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as ApiDocument;
const rows = endpointsOf(document).map(({ method, path, roles, isOpen }) => {
  const call = `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
  return `| \`${call}\` | ${isOpen ? 'anyone' : roles.join(', ')} |\n`;
});
const page = readFileSync(PAGE, 'utf8');
const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
if (from < 0 || to < from) throw new Error(`docs/access.md has no ${BEGIN.trim()} … ${END}`);
const table = `| operation | roles |\n|---|---|\n${rows.join('')}`;
writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n${table}\n${page.slice(to)}`);
