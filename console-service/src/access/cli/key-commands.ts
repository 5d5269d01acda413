import type { Command } from 'commander';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { freeText, toCsv } from '../../cli/csv.js';
import { answerOf, dataDirOf, onceOnly, withInstance, type CommandIo } from '../../cli/session.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';
import type { Schemas } from '../../manage/domain/operations.js';

type ApiKey = Schemas['ApiKey'];

const HEAD = ['id', 'name', 'role', 'created_at', 'created_by', 'last_used_at', 'revoked_at'] as const;

/** Adds `key create`, `key list` and `key revoke`. */
export function addKeyCommands(program: Command, io: CommandIo): void {
  const key = program.command('key').description('API keys: who may call the management API.');
  key
    .command('create')
    .description('Create an API key. Its text is shown this once, alone on standard output.')
    .requiredOption('--role <role>', 'admin, adops, finance, readonly, publisher:ID or advertiser:ID')
    .option('--name <name>', 'display name (default: the role)')
    .action((options: { readonly role: string; readonly name?: string }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const { role, name = role } = options;
        const call = client.POST('/keys', { params: { header: onceOnly() }, body: { role, name } });
        const { key: made, text } = await answerOf(call);
        io.err(
          toLines(`created ${made.id} with the role ${made.role}. Keep the key: it is not shown again.`),
        );
        io.out(`${text}\n`);
      }),
    );
  key
    .command('list')
    .description('List all API keys, revoked ones included.')
    .addOption(formatOption())
    .action((options: { readonly format: OutputFormat }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        io.out(shownKeys((await answerOf(client.GET('/keys'))).rows, options.format));
      }),
    );
  key
    .command('revoke')
    .description('Revoke an API key. It stops working within a second.')
    .argument('<ID>', 'key, such as key_0123456789abcdef')
    .action((id: string, _: unknown, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const revoked = await answerOf(client.DELETE('/keys/{id}', { params: { path: { id } } }));
        io.out(toLines(`revoked ${revoked.id} (${revoked.name})`));
      }),
    );
}

function shownKeys(rows: readonly ApiKey[], format: OutputFormat): string {
  const lines = rows.map((row) => HEAD.map((name) => row[name] ?? ''));
  return inFormat({ rows }, format, {
    table: () => textTable([HEAD, ...lines.map((line) => line.map((cell) => cell || '-'))], HEAD.length),
    csv: () => toCsv([HEAD, ...lines.map((line) => line.map(freeText))]),
  });
}
