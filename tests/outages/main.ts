import { OUTAGES } from './outages.js';
import { writeRecording } from './recording.js';
import { recordOutages } from './stage.js';
import { writeTable } from './table.js';

const HELP = `Records the metrics of a running product in outages, into tests/outages/recordings,
and writes the table of outages and alerts in docs/slo.md.

Usage: npm run record:outages [-- OUTAGE…]

Without names it records all of them, in about eight minutes. Do so after a change of metrics or alert rules.
Outages: ${OUTAGES.map(({ name }) => name).join(', ')}`;

process.exitCode = await main(process.argv.slice(2));

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !OUTAGES.some((outage) => outage.name === name));
  if (names.includes('--help') || unknown.length > 0) {
    process.stdout.write(`${HELP}\n`);
    return names.includes('--help') ? 0 : 2;
  }
  const wanted = OUTAGES.filter(({ name }) => names.length === 0 || names.includes(name));
  await recordOutages(wanted, ({ name }, recording) => {
    writeRecording(name, recording);
    process.stdout.write(`${name}: ${recording.series.size} series\n`);
  });
  writeTable();
  return 0;
}
