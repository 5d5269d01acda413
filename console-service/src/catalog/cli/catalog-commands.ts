import type { ApplyCatalogResponse, CatalogChange } from '@placard/protos/console/v1/console.js';
import { readCatalogText } from '@placard/service-kit/files';
import type { Command } from 'commander';
import { planApply } from '../domain/plan-apply.js';
import { readCatalogFile } from '../file/read-catalog-file.js';
import { CommandError, CommandFailed } from '../../cli/command-error.js';
import { counted } from '../../cli/counted.js';
import { dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { toLines } from '../../cli/to-lines.js';

/** Adds `catalog apply`, `catalog export` and `catalog validate`. */
export function addCatalogCommands(program: Command, io: CommandIo): void {
  const catalog = program.command('catalog').description('The catalog: apply, export, validate.');
  catalog
    .command('apply')
    .description('Make the stored catalog equal to FILE (YAML 1.2 or JSON) for everything that FILE names.')
    .argument('<FILE>', 'catalog file; its format is described in docs/catalog-file.md')
    .option('--prune', 'also remove objects that the sections of FILE do not name', false)
    .action((file: string, options: { readonly prune: boolean }, command: Command) =>
      apply(io, { file, isPruning: options.prune, dataDir: dataDirOf(command) }),
    );
  catalog
    .command('export')
    .description('Print the stored catalog in the format that apply accepts.')
    .action((_options: object, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const { file } = await client.exportCatalog({});
        io.out(file);
      }),
    );
  catalog
    .command('validate')
    .description('Check FILE as a catalog of new objects, without an instance.')
    .argument('<FILE>', 'catalog file')
    .action((file: string) => validate(io, file));
}

async function apply(
  io: CommandIo,
  options: { readonly file: string; readonly isPruning: boolean; readonly dataDir: string | undefined },
): Promise<void> {
  const text = readFile(options.file);
  await withInstance({ io, dataDir: options.dataDir }, async (client) => {
    const response = await client.applyCatalog({
      file: text,
      prune: options.isPruning,
      onlyIfEmpty: false,
    });
    if (response.faults.length > 0) refuseApply(io, options.file, response.faults);
    printChanges(io, response);
  });
}

async function validate(io: CommandIo, name: string): Promise<void> {
  const { file, faults } = await readCatalogFile(readFile(name));
  if (file !== null) planApply(file, { objects: [], isPruning: false }, faults);
  if (!faults.isEmpty()) fail(io, faults.list(), (count) => `${name} has ${count}`);
  io.out(toLines(`${name} is valid: ${counted(file?.objects.length ?? 0, 'object')}`));
}

function readFile(file: string): string {
  const read = readCatalogText(file);
  if ('fault' in read) throw new CommandError(`${file} ${read.fault}`);
  return read.text;
}

function refuseApply(io: CommandIo, file: string, faults: readonly string[]): never {
  fail(io, faults, (count) => `${file} is refused for ${count}, nothing was changed`);
}

function fail(io: CommandIo, faults: readonly string[], toSummary: (count: string) => string): never {
  const summary = `placard: ${toSummary(counted(faults.length, 'fault'))}. Correct the file and try again.`;
  io.err(toLines(...faults, summary));
  throw new CommandFailed();
}

function printChanges(io: CommandIo, { changes, notes, version }: ApplyCatalogResponse): void {
  const lines = changes.flatMap((change) => [
    `${change.action} ${change.kind} ${change.id}`,
    ...change.details.map((detail) => `  ${detail}`),
  ]);
  for (const note of notes) lines.push(`note: ${note}`);
  lines.push(changes.length === 0 ? `nothing changed (version ${version})` : summary(changes, version));
  io.out(toLines(...lines));
}

function summary(changes: readonly CatalogChange[], version: bigint): string {
  const count = (action: string): number => changes.filter((change) => change.action === action).length;
  return `${count('created')} created, ${count('updated')} updated, ${count('removed')} removed (version ${version})`;
}
