import type { Command } from 'commander';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { CommandError } from '../../cli/command-error.js';
import { answerOf, dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { readPlanFile } from './read-plan-file.js';
import { toForecastCsv, toForecastTable } from './forecast-output.js';

interface ForecastOptions {
  readonly campaign?: string;
  readonly format: OutputFormat;
}

/** Adds `forecast`. Contract: docs/contract/operator-interface.md#forecast. */
export function addForecastCommand(program: Command, io: CommandIo): void {
  program
    .command('forecast')
    .description('Say what a campaign will probably deliver, day by day. It changes nothing.')
    .argument(
      '[FILE]',
      'planned campaign as YAML or JSON: bid_cpm, budgets, schedule, targeting; - is standard input',
    )
    .option('--campaign <ID>', 'campaign of the catalog')
    .addOption(formatOption())
    .action((file: string | undefined, options: ForecastOptions, command: Command) =>
      forecast(io, { file, ...options }, dataDirOf(command)),
    );
}

async function forecast(
  io: CommandIo,
  { file, campaign, format }: ForecastOptions & { readonly file: string | undefined },
  dataDir: string | undefined,
): Promise<void> {
  const [subject] = [file, campaign].filter((one) => one !== undefined);
  if (subject === undefined || (file !== undefined && campaign !== undefined)) {
    throw new CommandError('name either a FILE with a planned campaign or --campaign ID.');
  }
  const body = file === undefined ? { campaign: subject } : { plan: await readPlanFile(file) };
  await withInstance({ io, dataDir }, async (client) => {
    const answer = await answerOf(client.POST('/forecast', { body }));
    const csv = (shown: typeof answer): string => toForecastCsv(subject, shown);
    io.out(inFormat(answer, format, { table: toForecastTable, csv }));
  });
}
