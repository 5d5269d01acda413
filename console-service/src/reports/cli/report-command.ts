import { reportKeyOnWire } from '@placard/service-kit/wire';
import { DAY_MS, REPORT_KEYS, type ReportKey } from '@placard/service-kit/pure';
import { Option, type Command } from 'commander';
import { parseDay, parseInstant } from '../../domain/instant.js';
import { CommandError } from '../../cli/command-error.js';
import { toReportCsv, toReportJson, toReportTable } from './report-output.js';
import { dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';

const KEY_LIST = REPORT_KEYS.join(', ');

interface ReportOptions {
  readonly by?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: 'table' | 'json' | 'csv';
}

/** Adds `report`. Contract: docs/contract/operator-interface.md#report, docs/contract/reports.md#range. */
export function addReportCommand(program: Command, io: CommandIo): void {
  program
    .command('report')
    .description('Show counts and money: requests, fills, impressions, clicks, spend, revenue.')
    .option('--by <keys>', `split the rows by a comma-separated list of: ${KEY_LIST}`)
    .option('--from <when>', 'first UTC day (2026-01-31) or first instant (2026-01-31T10:00:00Z)')
    .option('--to <when>', 'last UTC day, included, or the instant before which the report ends')
    .addOption(new Option('--format <format>', 'output').choices(['table', 'json', 'csv']).default('table'))
    .addHelpText(
      'after',
      '\nThe default range is the last seven UTC days, today included. Counts are kept by the hour: instants are widened\nto whole hours, and the report says which range it covers.\n',
    )
    .action((options: ReportOptions, command: Command) => report(io, options, dataDirOf(command)));
}

async function report(io: CommandIo, options: ReportOptions, dataDir: string | undefined): Promise<void> {
  const names = readKeys(options.by);
  const fromMs = readWhen('--from', options.from, 0);
  const toMs = readWhen('--to', options.to, DAY_MS);
  await withInstance({ io, dataDir }, async (client) => {
    const by = names.map(reportKeyOnWire.toWire);
    const response = await client.report({ by, fromMs, toMs });
    if (options.format === 'json') io.out(toReportJson(names, response));
    else if (options.format === 'csv') io.out(toReportCsv(names, response));
    else io.out(toReportTable(names, response));
  });
}

function readKeys(by: string | undefined): ReportKey[] {
  if (by === undefined) return [];
  const names = [...new Set(by.split(',').map((name) => name.trim()))];
  if (names.includes('')) {
    throw new CommandError(
      `--by names an empty key. Choose from ${KEY_LIST}; without --by the report has one row.`,
    );
  }
  const unknown = names.filter((name) => !isKey(name));
  if (unknown.length === 0) return names.filter(isKey);
  throw new CommandError(`cannot split a report by ${unknown.join(', ')}. Choose from ${KEY_LIST}.`);
}

function isKey(name: string): name is ReportKey {
  return (REPORT_KEYS as readonly string[]).includes(name);
}

/** Reads a UTC day as its beginning plus `dayMs`, or an instant as it is. */
function readWhen(option: string, when: string | undefined, dayMs: number): bigint | undefined {
  if (when === undefined) return undefined;
  const startMs = parseDay(when);
  const atMs = startMs === null ? parseInstant(when) : startMs + dayMs;
  if (atMs !== null) return BigInt(atMs);
  throw new CommandError(
    `${option} ${when} is not a date from 1970 to 9999. Write a UTC day such as 2026-01-31 or an instant such as 2026-01-31T10:00:00Z.`,
  );
}
