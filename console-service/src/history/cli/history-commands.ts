import type { Command } from 'commander';
import { printChanges, refuse } from '../../catalog/cli/print-changes.js';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { CommandError } from '../../cli/command-error.js';
import { addPageOptions, pageQuery, type PageOptions } from '../../cli/page-options.js';
import { answerOf, dataDirOf, problemOf, withInstance, type CommandIo } from '../../cli/session.js';
import { toHistoryCsv, toHistoryTable } from './history-output.js';

interface HistoryOptions extends PageOptions {
  readonly format: OutputFormat;
}

/** Adds `catalog history` and `catalog revert`. Contract: docs/contract/catalog.md#history. */
export function addHistoryCommands(catalog: Command, io: CommandIo): void {
  const shown = catalog
    .command('history')
    .description('Show who changed what and when, newest first.')
    .argument('[ID]', 'id of an object; of a placement app_id/code');
  addPageOptions(shown)
    .addOption(formatOption())
    .action((id: string | undefined, options: HistoryOptions, command: Command) =>
      history(io, { id, ...options, dataDir: dataDirOf(command) }),
    );
  catalog
    .command('revert')
    .description('Undo what one version changed, as a new version.')
    .argument('<VERSION>', 'number of the version', readVersion)
    .option(
      '--yes',
      'also when later versions changed the same objects, or more than a few objects are removed',
      false,
    )
    .action((version: number, options: { readonly yes: boolean }, command: Command) =>
      revert(io, { version, isConfirmed: options.yes, dataDir: dataDirOf(command) }),
    );
}

interface Named {
  readonly dataDir: string | undefined;
}

async function history(
  io: CommandIo,
  { id, format, dataDir, ...page }: HistoryOptions & Named & { readonly id: string | undefined },
): Promise<void> {
  await withInstance({ io, dataDir }, async (client) => {
    const query = id === undefined ? pageQuery(page) : { id, ...pageQuery(page) };
    const found = await answerOf(client.GET('/catalog/history', { params: { query } }));
    io.out(inFormat(found, format, { table: toHistoryTable, csv: toHistoryCsv }));
  });
}

async function revert(
  io: CommandIo,
  { version, isConfirmed, dataDir }: Named & { readonly version: number; readonly isConfirmed: boolean },
): Promise<void> {
  await withInstance({ io, dataDir }, async (client) => {
    const call = client.POST('/catalog/revert', { body: { version, confirm: isConfirmed } });
    const { error, response } = await call;
    if (response.status === 409) refuse(io, problemOf(error));
    printChanges(io, await answerOf(call));
  });
}

/** Reads the number of a version. Throws a CommandError that names what is wrong. */
export function readVersion(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CommandError(
    `${text} is not a version. Write a whole number from 1, as catalog history shows it.`,
  );
}
