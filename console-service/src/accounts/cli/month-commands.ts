import type { Command } from 'commander';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import {
  answerOf,
  dataDirOf,
  onceOnly,
  withInstance,
  type CommandIo,
  type ManageClient,
} from '../../cli/session.js';
import { toLines } from '../../cli/to-lines.js';
import type { Schemas } from '../../manage/domain/operations.js';
import { toStatementsCsv, toStatementsTable } from './month-output.js';

/** Adds `ledger close` and `ledger statements`. */
export function addMonthCommands(ledger: Command, io: CommandIo): void {
  ledger
    .command('close')
    .description('Close a month (UTC): number the statements of all accounts, and list who is to be paid.')
    .argument('<MONTH>', 'the first open month, such as 2026-11')
    .option(
      '--minimum-payout <AMOUNT>',
      'list only publishers to whom at least this is due (default: any amount)',
    )
    .addOption(formatOption())
    .action(
      (
        month: string,
        { minimumPayout, format }: { readonly minimumPayout?: string; readonly format: OutputFormat },
        command: Command,
      ) =>
        withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
          const params = { path: { month }, header: onceOnly() };
          const body = minimumPayout === undefined ? {} : { minimum_payout: minimumPayout };
          const closed = await answerOf(client.POST('/ledger/months/{month}/close', { params, body }));
          if (format === 'table') io.out(toLines(closeText(closed)));
          io.out(await readStatements(client, { month, isDueOnly: true, format }));
        }),
    );
  ledger
    .command('statements')
    .description('Show the numbered statements of a closed month (UTC), one row for each account.')
    .argument('<MONTH>', 'such as 2026-11')
    .option('--due', 'only publishers to whom the minimum payout of the month is due and not yet paid', false)
    .addOption(formatOption())
    .action(
      (month: string, options: { readonly due: boolean; readonly format: OutputFormat }, command: Command) =>
        withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
          const { due: isDueOnly, format } = options;
          io.out(await readStatements(client, { month, isDueOnly, format }));
        }),
    );
}

function closeText({
  is_new: isNew,
  month: { month, first_number: first, last_number: last, minimum_payout: minimum, currency },
}: {
  readonly is_new: boolean;
  readonly month: Schemas['ClosedMonth'];
}): string {
  const numbers = first === null ? 'no statements' : `statements ${first} to ${last}`;
  const verb = isNew ? 'closed' : 'was closed already:';
  return `${month} ${verb}${isNew ? ',' : ''} ${numbers}; payouts from ${minimum} ${currency}`;
}

interface Wanted {
  readonly month: string;
  readonly isDueOnly: boolean;
  readonly format: OutputFormat;
}

async function readStatements(client: ManageClient, { month, isDueOnly, format }: Wanted): Promise<string> {
  const rows: Schemas['MonthStatement'][] = [];
  for (let cursor: string | null = '0'; ;) {
    const query: { readonly due: boolean; readonly cursor: string } = { due: isDueOnly, cursor };
    const params = { path: { month }, query };
    const page = await answerOf(client.GET('/ledger/months/{month}/statements', { params }));
    rows.push(...page.rows);
    cursor = page.next_cursor;
    if (cursor !== null) continue;
    const shown = { ...page.month, rows };
    return inFormat(shown, format, { table: toStatementsTable, csv: toStatementsCsv });
  }
}
