import { toAppError } from '@placard/service-kit/errors';
import type { Command } from 'commander';
import { CommandFailed } from '../../cli/command-error.js';
import { counted } from '../../cli/counted.js';
import { answerOf, dataDirOf, withInstance, type CommandIo, type ManageClient } from '../../cli/session.js';
import type { Schemas } from '../../manage/domain/operations.js';
import { toLines } from '../../cli/to-lines.js';

/** Attempts for a piece whose connection is closed at the end of its life. */
const ATTEMPTS_MAX = 3;
/** Most faults that are shown for one check. The rest is counted. */
const FAULTS_SHOWN_MAX = 3;

interface VerifyOptions {
  readonly json: boolean;
  readonly wait: boolean;
  readonly full: boolean;
}

/** Adds `ledger verify`. Contract: docs/contract/operator-interface.md#ledger-verify. */
export function addVerifyCommand(ledger: Command, io: CommandIo): void {
  ledger
    .command('verify')
    .description('Prove that the books add up; exit status 1 when they do not.')
    .option('--json', 'print JSON', false)
    .option('--wait', 'first wait until nothing is left to settle or to count, at most 60 s', false)
    .option('--full', 'also recheck from the rows, day by day, with progress on standard error', false)
    .action((options: VerifyOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const { checks: quick, waiting } = await answerOf(
          client.GET('/ledger/verification', { params: { query: { wait: options.wait } } }),
        );
        const checks = options.full ? [...quick, ...(await verifyRows(client, io))] : quick;
        const ok = checks.every((check) => check.ok);
        const shown = {
          ok,
          checks,
          waiting: waiting ?? undefined,
        };
        io.out(options.json ? `${JSON.stringify(shown, null, 2)}\n` : toCheckLines(shown));
        if (!ok) throw new CommandFailed();
      }),
    );
}

type LedgerCheck = Schemas['Verification']['checks'][number];

interface ShownVerification {
  readonly ok: boolean;
  readonly checks: readonly LedgerCheck[];
  readonly waiting: Schemas['Waiting'] | undefined;
}

function toCheckLines({ ok, checks, waiting }: ShownVerification): string {
  const lines = checks.map(
    (check) =>
      `${check.ok ? 'ok    ' : 'FAILED'}  ${check.name}${check.detail === '' ? '' : `: ${check.detail}`}`,
  );
  if (waiting !== undefined) {
    const since = waiting.oldest_at === null ? '' : `, the oldest since ${waiting.oldest_at}`;
    lines.push(
      `The wait ran out after a minute; ${counted(waiting.events, 'accepted event')} not settled yet${since}.`,
    );
  }
  const good = waiting === undefined ? 'The books add up.' : 'The settled events add up.';
  return toLines(...lines, ok ? good : 'The books do not add up.');
}

interface Total {
  rows: number;
  faultCount: number;
  readonly faults: string[];
}

async function verifyRows(client: ManageClient, io: CommandIo): Promise<readonly LedgerCheck[]> {
  const totals = new Map<string, Total>();
  let after: string | null = null;
  do {
    const piece: Schemas['VerifiedRows'] = await askPiece(client, after, ATTEMPTS_MAX);
    for (const { name, rows, fault_count: faultCount, faults } of piece.checks) {
      const total = totals.get(name) ?? { rows: 0, faultCount: 0, faults: [] };
      totals.set(name, total);
      total.rows += rows;
      total.faultCount += faultCount;
      total.faults.push(...faults.slice(0, FAULTS_SHOWN_MAX - total.faults.length));
    }
    io.err(toProgress(piece));
    after = piece.next;
  } while (after !== null);
  return [...totals].map(([name, total]) => ({ name, ok: total.faultCount === 0, detail: toDetail(total) }));
}

function toProgress({ day, days_left: daysLeft, checks }: Schemas['VerifiedRows']): string {
  const what = checks.map(({ name }) => name).join(', ');
  const left = `${counted(daysLeft, 'day')} left`;
  return toLines(`${day ?? 'an empty ledger'}: ${what}; ${left}`);
}

function toDetail({ rows, faultCount, faults }: Total): string {
  if (faultCount === 0) return counted(rows, 'row');
  const more = faultCount - faults.length;
  return `${faults.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

async function askPiece(
  client: ManageClient,
  after: string | null,
  attemptsLeft: number,
): Promise<Schemas['VerifiedRows']> {
  try {
    const query = after === null ? {} : { after };
    return await answerOf(client.GET('/ledger/verification/rows', { params: { query } }));
  } catch (error) {
    if (attemptsLeft <= 1 || toAppError(error).code !== 'unavailable') throw error;
    return askPiece(client, after, attemptsLeft - 1);
  }
}
