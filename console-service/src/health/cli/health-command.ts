import { Option, type Command } from 'commander';
import { answerOf, dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { toHealthCsv, toHealthTable } from './health-output.js';

interface HealthOptions {
  readonly format: 'table' | 'json' | 'csv';
}

/** Adds `health`. Contract: docs/contract/operator-interface.md#health. */
export function addHealthCommand(program: Command, io: CommandIo): void {
  program
    .command('health')
    .description(
      'Show what about delivery needs a look: campaigns that are behind, balances that end, and more.',
    )
    .addOption(new Option('--format <format>', 'output').choices(['table', 'json', 'csv']).default('table'))
    .action(({ format }: HealthOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const health = await answerOf(client.GET('/health'));
        if (format === 'json') io.out(`${JSON.stringify(health, null, 2)}\n`);
        else io.out(format === 'csv' ? toHealthCsv(health) : toHealthTable(health));
      }),
    );
}
