import type {
  LedgerCheck,
  VerifyLedgerRowsResponse,
  WaitingEvents,
} from '@placard/protos/events/v1/events.js';
import { toAppError } from '@placard/service-kit';
import type { Command } from 'commander';
import { CommandFailed } from '../../cli/command-error.js';
import { counted } from '../../cli/counted.js';
import { dataDirOf, withInstance, type CommandIo, type ConsoleClient } from '../../cli/session.js';
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
        const { checks: quick, waiting } = await client.verifyBooks({ wait: options.wait });
        const checks = options.full ? [...quick, ...(await verifyRows(client, io))] : quick;
        const ok = checks.every((check) => check.ok);
        const shown = {
          ok,
          checks: checks.map(({ name, ok: holds, detail }) => ({ name, ok: holds, detail })),
          waiting: waiting === undefined ? undefined : toShownWaiting(waiting),
        };
        io.out(options.json ? `${JSON.stringify(shown, null, 2)}\n` : toCheckLines(shown));
        if (!ok) throw new CommandFailed();
      }),
    );
}

interface ShownWaiting {
  readonly events: number;
  readonly oldest_at: string | null;
}

/** The backlog when the wait ran out. */
function toShownWaiting({ events, oldestAtMs }: WaitingEvents): ShownWaiting {
  const oldestAt = oldestAtMs === undefined ? null : new Date(Number(oldestAtMs)).toISOString();
  return { events: Number(events), oldest_at: oldestAt };
}

interface ShownVerification {
  readonly ok: boolean;
  readonly checks: readonly LedgerCheck[];
  readonly waiting: ShownWaiting | undefined;
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
  rows: bigint;
  faultCount: bigint;
  readonly faults: string[];
}

async function verifyRows(client: ConsoleClient, io: CommandIo): Promise<readonly LedgerCheck[]> {
  const totals = new Map<string, Total>();
  let after = '';
  do {
    const piece = await askPiece(client, after, ATTEMPTS_MAX);
    for (const { name, rows, faultCount, faults } of piece.checks) {
      const total = totals.get(name) ?? { rows: 0n, faultCount: 0n, faults: [] };
      totals.set(name, total);
      total.rows += rows;
      total.faultCount += faultCount;
      total.faults.push(...faults.slice(0, FAULTS_SHOWN_MAX - total.faults.length));
    }
    io.err(toProgress(piece));
    after = piece.next;
  } while (after !== '');
  return [...totals].map(([name, total]) => ({ name, ok: total.faultCount === 0n, detail: toDetail(total) }));
}

function toProgress({ day, daysLeft, checks }: VerifyLedgerRowsResponse): string {
  const what = checks.map(({ name }) => name).join(', ');
  const left = `${counted(daysLeft, 'day')} left`;
  return toLines(`${day === '' ? 'an empty ledger' : day}: ${what}; ${left}`);
}

function toDetail({ rows, faultCount, faults }: Total): string {
  if (faultCount === 0n) return counted(rows, 'row');
  const more = faultCount - BigInt(faults.length);
  return `${faults.join('; ')}${more > 0n ? `; and ${more} more` : ''}`;
}

async function askPiece(
  client: ConsoleClient,
  after: string,
  attemptsLeft: number,
): Promise<VerifyLedgerRowsResponse> {
  try {
    const { piece } = await client.verifyBookRows({ after });
    return piece ?? { checks: [], next: '', day: '', daysLeft: 0 };
  } catch (error) {
    if (attemptsLeft <= 1 || toAppError(error).code !== 'unavailable') throw error;
    return askPiece(client, after, attemptsLeft - 1);
  }
}
