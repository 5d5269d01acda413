import { REPORT_KEYS, type ReportKey } from '@placard/service-kit/pure';
import type { Command } from 'commander';
import type { operations } from '../../../gen/manage-api.js';
import { parseDay, parseInstant } from '../../domain/instant.js';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { CommandError } from '../../cli/command-error.js';
import { toReportCsv, toReportTable } from './report-output.js';
import { answerOf, dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';

const KEY_LIST = REPORT_KEYS.join(', ');

type ReportQuery = NonNullable<operations['getReport']['parameters']['query']>;

/** The options that filter, by the names of the query. The option `--format` is the output. */
const FILTER_OPTIONS = {
  publisher: 'publisher',
  app: 'app',
  placement: 'placement',
  format: 'formatOfAd',
  country: 'country',
  advertiser: 'advertiser',
  campaign: 'campaign',
} as const;
type FilterKey = keyof typeof FILTER_OPTIONS;
const FILTER_KEYS = Object.keys(FILTER_OPTIONS) as FilterKey[];

type FilterOptions = { readonly [Name in (typeof FILTER_OPTIONS)[FilterKey]]?: string };

interface ReportOptions extends FilterOptions {
  readonly by?: string;
  readonly from?: string;
  readonly to?: string;
  readonly zone?: string;
  readonly compare?: true;
  readonly format: OutputFormat;
}

/** Adds `report`. Contract: docs/contract/operator-interface.md#report, docs/contract/reports.md#range. */
export function addReportCommand(program: Command, io: CommandIo): void {
  program
    .command('report')
    .description('Show counts and money: requests, fills, impressions, clicks, spend, revenue.')
    .option('--by <keys>', `split the rows by a comma-separated list of: ${KEY_LIST}`)
    .option('--from <when>', 'first day (2026-01-31) or first instant (2026-01-31T10:00:00Z)')
    .option('--to <when>', 'last day, included, or the instant before which the report ends')
    .option('--zone <zone>', 'time zone of days, such as Europe/Vienna (default: UTC)')
    .option('--compare', 'add the figures of the range before')
    .option('--publisher <ids>', 'only counts of these publishers')
    .option('--app <ids>', 'only counts of these apps')
    .option('--placement <codes>', 'only counts of these placements')
    .option('--format-of-ad <formats>', 'only counts of banner, interstitial or rewarded')
    .option('--country <codes>', 'only counts of these countries, or of unknown')
    .option('--advertiser <ids>', 'only counts of these advertisers')
    .option('--campaign <ids>', 'only counts of these campaigns')
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nThe default range is the last seven days, today included. Counts are kept by the hour of UTC: instants are widened\nto whole hours, and the report says which range it covers. Lists are separated by commas.\n',
    )
    .action((options: ReportOptions, command: Command) => report(io, options, dataDirOf(command)));
}

async function report(io: CommandIo, options: ReportOptions, dataDir: string | undefined): Promise<void> {
  const by = readKeys(options.by);
  const from = readWhen('--from', options.from);
  const to = readWhen('--to', options.to);
  await withInstance({ io, dataDir }, async (client) => {
    const query: ReportQuery = {};
    if (by.length > 0) query.by = by;
    if (from !== undefined) query.from = from;
    if (to !== undefined) query.to = to;
    if (options.zone !== undefined) query.zone = options.zone;
    if (options.compare === true) query.compare = true;
    for (const key of FILTER_KEYS) addFilter(query, key, options[FILTER_OPTIONS[key]]);
    const response = await answerOf(client.GET('/report', { params: { query } }));
    io.out(
      inFormat(response, options.format, {
        table: () => toReportTable(by, response),
        csv: () => toReportCsv(by, response),
      }),
    );
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

/** Adds the values of a filter. The instance refuses values that have the wrong form. */
function addFilter(query: ReportQuery, key: FilterKey, list: string | undefined): void {
  if (list === undefined) return;
  const values = [...new Set(list.split(',').map((value) => value.trim()))];
  Object.assign(query, { [key]: values } satisfies Partial<Record<FilterKey, readonly string[]>>);
}

function isKey(name: string): name is ReportKey {
  return (REPORT_KEYS as readonly string[]).includes(name);
}

/** An end of a range. Refuses what is neither a day nor an instant. */
export function readWhen(option: string, when: string | undefined): string | undefined {
  if (when === undefined) return undefined;
  if (parseDay(when) !== null || parseInstant(when) !== null) return when;
  throw new CommandError(
    `${option} ${when} is not a date from 1970 to 9999. Write a day such as 2026-01-31 or an instant such as 2026-01-31T10:00:00Z.`,
  );
}
