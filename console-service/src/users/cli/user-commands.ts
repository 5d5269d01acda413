import type { Command } from 'commander';
import { CommandError } from '../../cli/command-error.js';
import { freeText, toCsv } from '../../cli/csv.js';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { answerOf, dataDirOf, onceOnly, withInstance, type CommandIo } from '../../cli/session.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';
import type { Schemas } from '../../manage/domain/operations.js';

interface AddOptions {
  readonly role: string;
}

type UserRows = Pick<Schemas['Users'], 'rows'>;

const COLUMNS = ['id', 'name', 'role', 'has_totp', 'created_at', 'created_by', 'removed_at'] as const;
const USER = 'user, such as usr_0123456789abcdef in `user list`';
const PASSWORD_SOURCE =
  'The password comes from PLACARD_USER_PASSWORD, so that no list of processes shows it.';

/** Adds `user add`, `list`, `remove`, `password` and `totp-reset`. */
export function addUserCommands(program: Command, io: CommandIo): void {
  const user = program
    .command('user')
    .description('People who log in to the management API with a password.');
  user
    .command('add')
    .description(`Create a user. ${PASSWORD_SOURCE}`)
    .argument('<NAME>', 'login name')
    .requiredOption('--role <role>', 'admin, adops, finance, readonly, publisher:ID or advertiser:ID')
    .action((name: string, { role }: AddOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const body = { name, role, password: passwordOf(io) };
        const made = await answerOf(client.POST('/users', { params: { header: onceOnly() }, body }));
        io.out(toLines(`created ${made.id} (${made.name}) with the role ${made.role}`));
      }),
    );
  user
    .command('list')
    .description('List all users, removed ones included.')
    .addOption(formatOption())
    .action(({ format }: { readonly format: OutputFormat }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const list = await answerOf(client.GET('/users'));
        io.out(inFormat(list, format, { table: toUserTable, csv: toUserCsv }));
      }),
    );
  user
    .command('remove')
    .description('Remove a user. Its sessions end at once, and its name is free again.')
    .argument('<ID>', USER)
    .action((id: string, _options: unknown, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        await answerOf(client.DELETE('/users/{id}', { params: { path: { id } } }));
        io.out(toLines(`removed ${id}`));
      }),
    );
  user
    .command('password')
    .description(`Set the password of a user. Its sessions end at once. ${PASSWORD_SOURCE}`)
    .argument('<ID>', USER)
    .action((id: string, _options: unknown, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const body = { password: passwordOf(io) };
        await answerOf(client.PUT('/users/{id}/password', { params: { path: { id } }, body }));
        io.out(toLines(`set the password of ${id}`));
      }),
    );
  user
    .command('totp-reset')
    .description('Remove the second factor of a user who has lost it. Its sessions end at once.')
    .argument('<ID>', USER)
    .action((id: string, _options: unknown, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        await answerOf(client.DELETE('/users/{id}/totp', { params: { path: { id } } }));
        io.out(toLines(`removed the second factor of ${id}`));
      }),
    );
}

function passwordOf({ env }: CommandIo): string {
  const password = env['PLACARD_USER_PASSWORD'] ?? '';
  if (password !== '') return password;
  throw new CommandError('PLACARD_USER_PASSWORD is not set. Set it to the password of the user.');
}

function cellsOf(row: Schemas['User'], none: string): string[] {
  return COLUMNS.map((name) => String(row[name] ?? none));
}

function toUserTable({ rows }: UserRows): string {
  return textTable([COLUMNS, ...rows.map((row) => cellsOf(row, '-'))], COLUMNS.length);
}

function toUserCsv({ rows }: UserRows): string {
  return toCsv([COLUMNS, ...rows.map((row) => cellsOf(row, '').map(freeText))]);
}
