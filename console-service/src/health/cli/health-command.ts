import type { Command } from 'commander';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { answerOf, dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { toHealthCsv, toHealthTable } from './health-output.js';

interface HealthOptions {
  readonly format: OutputFormat;
}

/** Adds `health`. Contract: docs/contract/operator-interface.md#health. */
export function addHealthCommand(program: Command, io: CommandIo): void {
  program
    .command('health')
    .description('Show problems with delivery: campaigns that are behind, balances that run out, and more.')
    .addOption(formatOption())
    .action(({ format }: HealthOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const health = await answerOf(client.GET('/health'));
        io.out(inFormat(health, format, { table: toHealthTable, csv: toHealthCsv }));
      }),
    );
}
