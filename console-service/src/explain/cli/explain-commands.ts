import { Option, type Command } from 'commander';
import type { operations } from '../../../gen/manage-api.js';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { answerOf, dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { readWhen } from '../../reports/cli/report-command.js';
import { toCampaignCsv, toCampaignTable, toRequestCsv, toRequestTable } from './explain-output.js';

interface CampaignOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by?: 'hour';
  readonly format: OutputFormat;
}

interface TryOptions {
  readonly app: string;
  readonly placement: string;
  readonly country?: string;
  readonly language?: string;
  readonly androidVersion?: string;
  readonly screen?: string;
  readonly format: OutputFormat;
}

/** Adds `explain`. Contract: docs/contract/operator-interface.md#explain. */
export function addExplainCommands(program: Command, io: CommandIo): void {
  const explain = program.command('explain').description('Show where campaigns lose ad requests.');
  explain
    .command('campaign')
    .description('Show the step at which a campaign lost each request of a range.')
    .argument('<ID>', 'a campaign')
    .option('--from <when>', 'first UTC day (2026-01-31) or first instant (2026-01-31T10:00:00Z)')
    .option('--to <when>', 'last UTC day, included, or the instant before which the range ends')
    .addOption(new Option('--by <key>', 'show each hour').choices(['hour']))
    .addOption(formatOption())
    .action((id: string, options: CampaignOptions, command: Command) =>
      explainCampaign(id, options, { io, dataDir: dataDirOf(command) }),
    );
  explain
    .command('request')
    .description('Show the step at which each campaign lost one request.')
    .argument('<REQUEST_ID>', 'the request_id of an ad request')
    .addOption(formatOption())
    .action((id: string, { format }: { readonly format: OutputFormat }, command: Command) =>
      explainRequest(id, format, { io, dataDir: dataDirOf(command) }),
    );
  explain
    .command('try')
    .description(
      'Show the step at which each campaign would lose a request that no client makes. It reserves nothing.',
    )
    .requiredOption('--app <app>', 'the id of an app')
    .requiredOption('--placement <code>', 'the code of a placement of the app')
    .option('--country <country>', 'such as AT; default unknown')
    .option('--language <language>', "such as de; default the app's language")
    .option('--android-version <version>', 'such as 14; default unknown')
    .option('--screen <WxH>', 'in pixels, such as 1080x2400; default unknown')
    .addOption(formatOption())
    .action((options: TryOptions, command: Command) =>
      tryRequest(options, { io, dataDir: dataDirOf(command) }),
    );
}

interface Where {
  readonly io: CommandIo;
  readonly dataDir: string | undefined;
}

async function explainCampaign(
  id: string,
  { from, to, by, format }: CampaignOptions,
  where: Where,
): Promise<void> {
  const query: NonNullable<operations['explainCampaign']['parameters']['query']> = {};
  const first = readWhen('--from', from);
  const last = readWhen('--to', to);
  if (first !== undefined) query.from = first;
  if (last !== undefined) query.to = last;
  if (by !== undefined) query.by = by;
  const explained = await withInstance(where, (client) =>
    answerOf(client.GET('/campaigns/{id}/explanation', { params: { path: { id }, query } })),
  );
  where.io.out(inFormat(explained, format, { table: toCampaignTable, csv: toCampaignCsv }));
}

async function explainRequest(id: string, format: OutputFormat, where: Where): Promise<void> {
  const explained = await withInstance(where, (client) =>
    answerOf(client.GET('/requests/{id}/explanation', { params: { path: { id } } })),
  );
  where.io.out(inFormat(explained, format, { table: toRequestTable, csv: toRequestCsv }));
}

async function tryRequest(options: TryOptions, where: Where): Promise<void> {
  const { app, placement, country, language, androidVersion, screen, format } = options;
  const query: operations['tryRequest']['parameters']['query'] = { app, placement };
  if (country !== undefined) query.country = country;
  if (language !== undefined) query.language = language;
  if (androidVersion !== undefined) query.android_version = androidVersion;
  if (screen !== undefined) query.screen = screen;
  const explained = await withInstance(where, (client) =>
    answerOf(client.GET('/explain/try', { params: { query } })),
  );
  where.io.out(inFormat(explained, format, { table: toRequestTable, csv: toRequestCsv }));
}
