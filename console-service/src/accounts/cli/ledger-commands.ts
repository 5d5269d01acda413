import type { Command } from 'commander';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { answerOf, dataDirOf, onceOnly, withInstance, type CommandIo } from '../../cli/session.js';
import type { Schemas } from '../../manage/domain/operations.js';
import { addMonthCommands } from './month-commands.js';
import { bookingText } from './booking-output.js';
import { toStatementCsv, toStatementTable } from './statement-output.js';
import { textTable } from '../../cli/text-table.js';
import { addVerifyCommand } from './verify-command.js';

/** Adds the `ledger` commands. Contract: docs/contract/operator-interface.md#machine-readable-output. */
export function addLedgerCommands(program: Command, io: CommandIo): void {
  const ledger = program
    .command('ledger')
    .description('The books: balances, statements, adjustments, verification.');
  addBalances(ledger, io);
  addStatement(ledger, io);
  addAdjust(ledger, io);
  addMonthCommands(ledger, io);
  addVerifyCommand(ledger, io);
}

function addBalances(ledger: Command, io: CommandIo): void {
  ledger
    .command('balances')
    .description('Show every account: what advertisers have left, what publishers have earned.')
    .option('--json', 'print JSON', false)
    .action((options: { readonly json: boolean }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const balances = await answerOf(client.GET('/ledger/balances'));
        io.out(options.json ? `${JSON.stringify(balances, null, 2)}\n` : toBalanceTable(balances));
      }),
    );
}

interface StatementOptions {
  readonly month: string;
  readonly format: OutputFormat;
}

function addStatement(ledger: Command, io: CommandIo): void {
  ledger
    .command('statement')
    .description('Show the bookings of an account in a month (UTC), with opening and closing balance.')
    .argument('<ID>', 'advertiser:ID, publisher:ID, platform, deposits, payouts, or an id alone')
    .requiredOption('--month <month>', 'such as 2026-11')
    .addOption(formatOption())
    .action((account: string, { month, format }: StatementOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const statement = await answerOf(
          client.GET('/ledger/statements', { params: { query: { account, month } } }),
        );
        io.out(inFormat(statement, format, { table: toStatementTable, csv: toStatementCsv }));
      }),
    );
}

interface AdjustOptions {
  readonly reason: string;
  readonly reference: string;
  readonly yes: boolean;
}

function addAdjust(ledger: Command, io: CommandIo): void {
  ledger
    .command('adjust')
    .description('Correct an account by a new booking. The same adjustment given twice is booked once.')
    .argument('<ACCOUNT>', 'advertiser:ID, publisher:ID, or an id alone')
    .argument('<AMOUNT>', 'decimal, not zero, at most 9 decimals; below zero takes away, such as -12.50')
    .requiredOption('--reason <TEXT>', 'why; statements show it')
    .requiredOption('--reference <REF>', 'unique name of the adjustment, such as a ticket number')
    .option('--yes', 'allow more than 1,000 in either direction, or a balance below zero', false)
    .action((account: string, amount: string, options: AdjustOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const { reference, reason, yes: confirm } = options;
        const body = { account, amount, reference, reason, confirm };
        const call = client.POST('/ledger/adjustments', { params: { header: onceOnly() }, body });
        io.out(bookingText({ what: 'adjusted', ...body }, await answerOf(call)));
      }),
    );
}

function toBalanceTable({ accounts, sum, currency }: Schemas['Balances']): string {
  const rows = accounts.map(({ kind, id, balance }) => [kind, id, balance]);
  return textTable([['kind', 'id', `balance ${currency}`], ...rows, ['sum', '', sum]], 2);
}
