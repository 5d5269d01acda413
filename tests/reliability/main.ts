// `npm run reliability`: writes the rows that tests left in .data/reliability to the table of docs/reliability.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { faultsOf, faultTable, type FaultRow } from './fault-row.js';
import { ROWS_DIR } from './record-fault.js';

const HELP = `Writes the table of faults in docs/reliability.md.

Usage: npm run reliability

It takes the rows that the last run of the long tests left in .data/reliability: run npm run test:all before.
A fault of the table that no test produced is removed.`;

const PAGE = new URL('../../docs/reliability.md', import.meta.url);
const [BEGIN, END] = ['<!-- faults: npm run reliability -->\n', '<!-- end of faults -->'];

if (process.argv.includes('--help')) process.stdout.write(`${HELP}\n`);
else writeTable();

function writeTable(): void {
  const rows = readRows();
  if (rows.length === 0) {
    process.stderr.write('No test has left a fault in .data/reliability. Run: npm run test:all\n');
    process.exitCode = 1;
    return;
  }
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
  if (from < BEGIN.length || to < from)
    throw new Error(`docs/reliability.md has no ${BEGIN.trim()} … ${END}`);
  const seen = new Set(rows.map(({ fault }) => fault));
  for (const fault of faultsOf(page.slice(from, to)))
    if (!seen.has(fault)) process.stdout.write(`removed: ${fault}\n`);
  writeFileSync(PAGE, `${page.slice(0, from)}\n${faultTable(rows)}\n${page.slice(to)}`);
  process.stdout.write(`docs/reliability.md has ${rows.length} faults\n`);
}

function readRows(): FaultRow[] {
  let names: string[];
  try {
    names = readdirSync(ROWS_DIR);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return names.map((name) => JSON.parse(readFileSync(new URL(name, ROWS_DIR), 'utf8')) as FaultRow);
}
