import type { GetBalancesResponse } from '@placard/protos/console/v1/console.js';
import { formatNanos } from '@placard/service-kit/pure';
import { Option, type Command } from 'commander';
import { kindName } from './account-kinds.js';
import { dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { shownAmount } from './shown-amount.js';
import { toStatement, toStatementCsv, toStatementTable } from './statement-output.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';
import { addVerifyCommand } from './verify-command.js';

/** Adds the `ledger` commands. Contract: docs/contract/operator-interface.md#machine-readable-output. */
export function addLedgerCommands(program: Command, io: CommandIo): void {
  const ledger = program
    .command('ledger')
    .description('The books: balances, statements, adjustments, verification.');
  addBalances(ledger, io);
  addStatement(ledger, io);
  addAdjust(ledger, io);
  addVerifyCommand(ledger, io);
}

function addBalances(ledger: Command, io: CommandIo): void {
  ledger
    .command('balances')
    .description('Show every account: what advertisers have left, what publishers have earned.')
    .option('--json', 'print JSON', false)
    .action((options: { readonly json: boolean }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const balances = toBalances(await client.getBalances({}));
        io.out(options.json ? `${JSON.stringify(balances, null, 2)}\n` : toBalanceTable(balances));
      }),
    );
}

interface StatementOptions {
  readonly month: string;
  readonly format: 'table' | 'csv' | 'json';
}

function addStatement(ledger: Command, io: CommandIo): void {
  ledger
    .command('statement')
    .description('Show the bookings of an account in a month (UTC), with opening and closing balance.')
    .argument('<ID>', 'advertiser:ID, publisher:ID, platform, deposits, or an id alone')
    .requiredOption('--month <month>', 'such as 2026-11')
    .addOption(new Option('--format <format>', 'output').choices(['table', 'csv', 'json']).default('table'))
    .action((account: string, { month, format }: StatementOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const statement = toStatement(month, await client.getStatement({ account, month }));
        if (format === 'json') io.out(`${JSON.stringify(statement, null, 2)}\n`);
        else io.out(format === 'csv' ? toStatementCsv(statement) : toStatementTable(statement));
      }),
    );
}

interface AdjustOptions {
  readonly reason: string;
  readonly reference: string;
}

function addAdjust(ledger: Command, io: CommandIo): void {
  ledger
    .command('adjust')
    .description('Correct an account by a new booking. The same adjustment given twice is booked once.')
    .argument('<ACCOUNT>', 'advertiser:ID or publisher:ID')
    .argument('<AMOUNT>', 'decimal, not zero, at most 9 decimals; below zero takes away, such as -12.50')
    .requiredOption('--reason <TEXT>', 'why; statements show it')
    .requiredOption('--reference <REF>', 'unique name of the adjustment, such as a ticket number')
    .action((account: string, amount: string, options: AdjustOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const { reference, reason } = options;
        const { isNew } = await client.adjust({ account, amount, reference, reason });
        io.out(
          toLines(
            isNew
              ? `adjusted ${account} by ${shownAmount(amount)} (reference ${reference})`
              : `reference ${reference} is booked already with this amount for ${account}; nothing to do`,
          ),
        );
      }),
    );
}

interface Balances {
  readonly accounts: readonly { readonly kind: string; readonly id: string; readonly balance: string }[];
  readonly sum: string;
}

/** Earlier releases of events-service send no decimal texts, only 64-bit amounts. */
function toBalances({ accounts, sumNanos, sum }: GetBalancesResponse): Balances {
  const sorted = [...accounts].sort((left, right) => left.kind - right.kind || (left.id < right.id ? -1 : 1));
  return {
    accounts: sorted.map(({ kind, id, balanceNanos, balance }) => ({
      kind: kindName(kind),
      id: id === '' ? kindName(kind) : id,
      balance: balance === '' ? formatNanos(balanceNanos) : balance,
    })),
    sum: sum === '' ? formatNanos(sumNanos) : sum,
  };
}

function toBalanceTable({ accounts, sum }: Balances): string {
  const rows = accounts.map(({ kind, id, balance }) => [kind, id, balance]);
  return textTable([['kind', 'id', 'balance'], ...rows, ['sum', '', sum]], 2);
}
