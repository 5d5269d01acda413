import type { Command } from 'commander';
import { freeText, toCsv } from '../../cli/csv.js';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { answerOf, dataDirOf, onceOnly, withInstance, type CommandIo } from '../../cli/session.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';

interface ListOptions {
  readonly format: OutputFormat;
}

const COLUMNS = ['id', 'name', 'url', 'created_at'] as const;

/** Adds `webhook add`, `list`, `remove` and `keys`. Contract: docs/contract/operator-interface.md#webhook. */
export function addWebhookCommands(program: Command, io: CommandIo): void {
  const webhook = program
    .command('webhook')
    .description('Addresses that get a message when a concern about delivery begins or ends.');
  webhook
    .command('add')
    .description('Send a signed POST to an address when a concern begins and when it ends.')
    .argument('<URL>', 'https:// address in a public network')
    .requiredOption('--name <NAME>', 'display name')
    .action((url: string, { name }: { readonly name: string }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const call = client.POST('/webhooks', { params: { header: onceOnly() }, body: { name, url } });
        const { id } = await answerOf(call);
        io.out(toLines(`added webhook ${id} (${name})`));
      }),
    );
  webhook
    .command('list')
    .description('Show all webhooks.')
    .addOption(formatOption())
    .action(({ format }: ListOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const list = await answerOf(client.GET('/webhooks'));
        const rows = list.rows.map((row) => COLUMNS.map((name) => row[name]));
        io.out(
          inFormat(list, format, {
            table: () => textTable([COLUMNS, ...rows], COLUMNS.length),
            csv: () => toCsv([COLUMNS, ...rows.map((row) => row.map(freeText))]),
          }),
        );
      }),
    );
  webhook
    .command('remove')
    .description('Remove a webhook and its pending notices.')
    .argument('<ID>', 'webhook, as in `webhook list`')
    .action((id: string, _options: unknown, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        await answerOf(client.DELETE('/webhooks/{id}', { params: { path: { id } } }));
        io.out(toLines(`removed webhook ${id}`));
      }),
    );
  webhook
    .command('keys')
    .description('Show the public keys that verify the signatures, as a JSON Web Key Set.')
    .action((_options: unknown, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        io.out(`${JSON.stringify(await answerOf(client.GET('/webhooks/jwks')), null, 2)}\n`);
      }),
    );
}
