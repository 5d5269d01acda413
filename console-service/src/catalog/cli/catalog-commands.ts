import type { Command } from 'commander';
import { addHistoryCommands, readVersion } from '../../history/cli/history-commands.js';
import { CommandFailed } from '../../cli/command-error.js';
import { counted } from '../../cli/counted.js';
import {
  answerOf,
  dataDirOf,
  problemOf,
  withInstance,
  type CommandIo,
  type ManageClient,
} from '../../cli/session.js';
import type { Schemas } from '../../manage/domain/operations.js';
import { toLines } from '../../cli/to-lines.js';
import { printChanges, refuse } from './print-changes.js';
import { inputName, readInput } from './read-input.js';

interface ApplyOptions {
  readonly prune: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly ifVersion?: number;
}

/** Adds the commands of `catalog`. Contract: docs/contract/operator-interface.md#applying-a-catalog. */
export function addCatalogCommands(program: Command, io: CommandIo): void {
  const catalog = program
    .command('catalog')
    .description('The catalog: apply, export, validate, show, history, revert.');
  catalog
    .command('apply')
    .description('Make the stored catalog equal to FILE (YAML 1.2 or JSON) for everything that FILE names.')
    .argument('<FILE>', 'catalog file, - for standard input; its format is described in docs/catalog-file.md')
    .option('--prune', 'also remove objects that the sections of FILE do not name', false)
    .option('--dry-run', 'only show what would be changed', false)
    .option(
      '--yes',
      'also remove more than a few objects, or objects outside the parents that FILE lists',
      false,
    )
    .option('--if-version <version>', 'only when no object has changed since this version', readVersion)
    .action((file: string, options: ApplyOptions, command: Command) =>
      apply(io, { file, ...options, dataDir: dataDirOf(command) }),
    );
  catalog
    .command('export')
    .description('Print the stored catalog in the format that apply accepts.')
    .action((_options: object, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        io.out(await answerOf(client.GET('/catalog/export', { parseAs: 'text' })));
      }),
    );
  catalog
    .command('validate')
    .description('Check FILE as a catalog of new objects, without an instance.')
    .argument('<FILE>', 'catalog file, - for standard input')
    .action((file: string) => validate(io, file));
  catalog
    .command('show')
    .description('Print an object with everything below it, in the format that apply accepts.')
    .argument('<ID>', 'id of the object; of a placement app_id/code')
    .action((id: string, _options: object, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const call = client.GET('/catalog/objects', { params: { query: { id } }, parseAs: 'text' });
        io.out(await answerOf(call));
      }),
    );
  addHistoryCommands(catalog, io);
}

async function apply(
  io: CommandIo,
  {
    file,
    dataDir,
    ...options
  }: ApplyOptions & { readonly file: string; readonly dataDir: string | undefined },
): Promise<void> {
  const text = await readInput(file);
  await withInstance({ io, dataDir }, async (client) => {
    const call = send(client, text, options);
    const { error, response } = await call;
    const problem = problemOf(error);
    if (response.status === 409 || response.status === 403) refuse(io, problem);
    if (problem.errors !== undefined && problem.errors.length > 0) refuseApply(io, file, problem.errors);
    printChanges(io, await answerOf(call), options.dryRun);
  });
}

function send(client: ManageClient, text: string, { prune, dryRun, yes, ifVersion }: ApplyOptions) {
  const query = { prune, dry_run: dryRun, confirm: yes };
  return client.POST('/catalog/apply', {
    params: { query: ifVersion === undefined ? query : { ...query, if_version: ifVersion } },
    body: text,
    bodySerializer: (body) => body,
    headers: { 'Content-Type': 'application/yaml' },
  });
}

async function validate(io: CommandIo, name: string): Promise<void> {
  // No other command needs the rules of catalog files, so only this one loads them.
  const [{ validateCatalog }, { readCatalogFile }] = await Promise.all([
    import('../domain/warnings/validate-catalog.js'),
    import('../file/read-catalog-file.js'),
  ]);
  const { file, faults } = await readCatalogFile(await readInput(name));
  const warnings = file === null ? [] : validateCatalog(file, faults, Date.now());
  if (!faults.isEmpty()) fail(io, faults.list(), (count) => `${inputName(name)} has ${count}`);
  const valid = `${inputName(name)} is valid: ${counted(file?.objects.length ?? 0, 'object')}`;
  io.out(toLines(...warnings.map((warning) => `warning: ${warning}`), valid));
}

function refuseApply(io: CommandIo, file: string, faults: readonly Schemas['FieldError'][]): never {
  const lines = faults.map(({ field, detail }) => `${field}: ${detail}`);
  fail(io, lines, (count) => `${inputName(file)} is refused for ${count}, nothing was changed`);
}

function fail(io: CommandIo, faults: readonly string[], toSummary: (count: string) => string): never {
  const summary = `placard: ${toSummary(counted(faults.length, 'fault'))}. Correct the file and try again.`;
  io.err(toLines(...faults, summary));
  throw new CommandFailed();
}
