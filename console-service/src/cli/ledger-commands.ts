import type { GetBalancesResponse, VerifyBooksResponse } from '@placard/protos/console/v1/console.js';
import { AccountKind } from '@placard/protos/events/v1/events.js';
import { formatNanos } from '@placard/service-kit/pure';
import type { Command } from 'commander';
import { dataDirOf } from './catalog-commands.js';
import { CommandFailed } from './command-error.js';
import { withInstance, type CommandIo } from './session.js';
import { textTable } from './text-table.js';

const KIND_NAMES: Readonly<Record<AccountKind, string>> = {
  [AccountKind.UNSPECIFIED]: 'unknown',
  [AccountKind.ADVERTISER]: 'advertiser',
  [AccountKind.PUBLISHER]: 'publisher',
  [AccountKind.PLATFORM]: 'platform',
  [AccountKind.DEPOSITS]: 'deposits',
};

/** Adds `ledger balances` and `ledger verify`. Specification: Shapes of the machine-readable output. */
export function addLedgerCommands(program: Command, io: CommandIo): void {
  const ledger = program.command('ledger').description('The books: balances, verify.');
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
  ledger
    .command('verify')
    .description('Prove that the books add up; exit status 1 when they do not.')
    .option('--json', 'print JSON', false)
    .option('--wait', 'first wait, 60 s at most, until nothing is left to settle or to count', false)
    .action((options: { readonly json: boolean; readonly wait: boolean }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const { ok, checks } = await client.verifyBooks({ wait: options.wait });
        io.out(options.json ? `${JSON.stringify({ ok, checks }, null, 2)}\n` : toCheckLines({ ok, checks }));
        if (!ok) throw new CommandFailed();
      }),
    );
}

interface Balances {
  readonly accounts: readonly { readonly kind: string; readonly id: string; readonly balance: string }[];
  readonly sum: string;
}

function toBalances({ accounts, sumNanos }: GetBalancesResponse): Balances {
  const sorted = [...accounts].sort((left, right) => left.kind - right.kind || (left.id < right.id ? -1 : 1));
  return {
    accounts: sorted.map(({ kind, id, balanceNanos }) => ({
      kind: KIND_NAMES[kind],
      id: id === '' ? KIND_NAMES[kind] : id,
      balance: formatNanos(balanceNanos),
    })),
    sum: formatNanos(sumNanos),
  };
}

function toBalanceTable({ accounts, sum }: Balances): string {
  const rows = accounts.map(({ kind, id, balance }) => [kind, id, balance]);
  return textTable([['kind', 'id', 'balance'], ...rows, ['sum', '', sum]], 2);
}

function toCheckLines({ ok, checks }: VerifyBooksResponse): string {
  const lines = checks.map(
    (check) =>
      `${check.ok ? 'ok    ' : 'FAILED'}  ${check.name}${check.detail === '' ? '' : `: ${check.detail}`}`,
  );
  return `${[...lines, ok ? 'The books add up.' : 'The books do not add up.'].join('\n')}\n`;
}
