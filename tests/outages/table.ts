import { readFileSync, writeFileSync } from 'node:fs';
import { ALERT_CASES } from './alert-cases.js';
import { OUTAGES } from './outages.js';

const PAGE = new URL('../../docs/slo.md', import.meta.url);
const [BEGIN, END] = ['<!-- outages -->\n', '<!-- end of outages -->'];

/** The outages and the alerts that each one raises, as a table of Markdown. */
export function outageTable(): string {
  const rows = OUTAGES.map(({ name, what }) => {
    const alerts = ALERT_CASES.filter(({ outage }) => outage === name).map(({ alert }) => `\`${alert}\``);
    return `| ${what.replace(/\.$/, '')} | ${[...new Set(alerts)].join(', ')} |`;
  });
  return ['| outage | alerts that fire |', '|---|---|', ...rows].join('\n');
}

/** The table that docs/slo.md has. */
export function writtenTable(): string {
  const { page, from, to } = place();
  return page.slice(from, to).trim();
}

/** Writes the table into docs/slo.md. */
export function writeTable(): void {
  const { page, from, to } = place();
  writeFileSync(PAGE, `${page.slice(0, from)}\n${outageTable()}\n\n${page.slice(to)}`);
}

function place(): { readonly page: string; readonly from: number; readonly to: number } {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
  if (from < BEGIN.length || to < from) throw new Error(`docs/slo.md has no ${BEGIN.trim()} … ${END}`);
  return { page, from, to };
}
