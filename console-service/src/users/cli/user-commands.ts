import type { Command } from 'commander';
import { CommandError } from '../../cli/command-error.js';
import { answerOf, dataDirOf, onceOnly, withInstance, type CommandIo } from '../../cli/session.js';
import { toLines } from '../../cli/to-lines.js';

interface AddOptions {
  readonly role: string;
}

/** Adds `user add`. */
export function addUserCommands(program: Command, io: CommandIo): void {
  const user = program
    .command('user')
    .description('People who log in to the management API with a password.');
  user
    .command('add')
    .description(
      'Create a user. The password comes from PLACARD_USER_PASSWORD, so that no list of processes shows it.',
    )
    .argument('<NAME>', 'login name')
    .requiredOption('--role <role>', 'admin, adops, finance, readonly, publisher:ID or advertiser:ID')
    .action((name: string, { role }: AddOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const password = io.env['PLACARD_USER_PASSWORD'] ?? '';
        if (password === '')
          throw new CommandError('PLACARD_USER_PASSWORD is not set. Set it to the password of the user.');
        const body = { name, role, password };
        const made = await answerOf(client.POST('/users', { params: { header: onceOnly() }, body }));
        io.out(toLines(`created ${made.id} (${made.name}) with the role ${made.role}`));
      }),
    );
}
