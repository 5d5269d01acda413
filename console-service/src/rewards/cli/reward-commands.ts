import { Option, type Command } from 'commander';
import type { operations } from '../../../gen/manage-api.js';
import { freeText, toCsv } from '../../cli/csv.js';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { addPageOptions, morePages, pageQuery, type PageOptions } from '../../cli/page-options.js';
import { answerOf, dataDirOf, onceOnly, withInstance, type CommandIo } from '../../cli/session.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';

interface LogOptions extends PageOptions {
  readonly publisher?: string;
  readonly app?: string;
  readonly placement?: string;
  readonly request?: string;
  readonly status?: 'waiting' | 'delivered' | 'given_up';
  readonly format: OutputFormat;
}

type Query = NonNullable<operations['listRewards']['parameters']['query']>;

const TABLE = [
  ...['request_id', 'app', 'placement', 'item', 'amount', 'test', 'rewarded_at', 'status', 'attempts'],
  ...['next_attempt_at', 'fault'],
] as const;
const CSV = [
  ...['request_id', 'id', 'publisher', 'app', 'placement', 'item', 'amount', 'test', 'rewarded_at', 'status'],
  ...['attempts', 'last_attempt_at', 'next_attempt_at', 'fault', 'delivered_at'],
] as const;

/** Adds `reward log` and `reward replay`. Contract: docs/contract/operator-interface.md#reward. */
export function addRewardCommands(program: Command, io: CommandIo): void {
  const reward = program
    .command('reward')
    .description('Callbacks about accepted rewards to the servers of apps.');
  const log = reward
    .command('log')
    .description('Show the callbacks of the last 30 days, newest first.')
    .option('--publisher <id>', 'only of this publisher')
    .option('--app <id>', 'only of this app')
    .option('--placement <app/code>', 'only of this placement')
    .option('--request <request_id>', 'only of this ad request')
    .addOption(
      new Option('--status <status>', 'only in this state').choices(['waiting', 'delivered', 'given_up']),
    );
  addPageOptions(log)
    .addOption(formatOption())
    .action((options: LogOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const query = queryOf(options);
        io.out(shown(await answerOf(client.GET('/rewards', { params: { query } })), options.format));
      }),
    );
  reward
    .command('replay')
    .description('Send a callback again. The receiver can tell a repetition by its id.')
    .argument('<REQUEST_ID>', 'the request_id of the rewarded ad')
    .action((id: string, _options: unknown, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const params = { path: { id }, header: onceOnly() };
        const replayed = await answerOf(client.POST('/rewards/{id}/replay', { params }));
        io.out(toLines(`callback ${replayed.id} is sent again; see: placard reward log --request ${id}`));
      }),
    );
}

function queryOf({ publisher, app, placement, request, status, ...page }: LogOptions): Query {
  return {
    ...pageQuery(page),
    ...(publisher === undefined ? {} : { publisher }),
    ...(app === undefined ? {} : { app }),
    ...(placement === undefined ? {} : { placement }),
    ...(request === undefined ? {} : { request_id: request }),
    ...(status === undefined ? {} : { status }),
  };
}

type Log = operations['listRewards']['responses']['200']['content']['application/json'];

function shown(log: Log, format: OutputFormat): string {
  const cells = (columns: readonly (keyof Log['rows'][number])[]): string[][] =>
    log.rows.map((row) => columns.map((name) => String(row[name] ?? '')));
  return inFormat(log, format, {
    table: () => textTable([TABLE, ...cells(TABLE)], TABLE.length) + morePages(log.next_cursor),
    csv: () => toCsv([CSV, ...cells(CSV).map((row) => row.map(freeText))]),
  });
}
