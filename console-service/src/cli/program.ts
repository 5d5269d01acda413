import { AppError, messageOf } from '@placard/service-kit/errors';
import { printable, unreadableArgument } from '@placard/service-kit/pure';
import { Command, CommanderError } from 'commander';
import { addKeyCommands } from '../access/cli/key-commands.js';
import { addAdvertiserCommands } from '../accounts/cli/advertiser-commands.js';
import { addAuditCommand } from '../audit/cli/audit-command.js';
import { addCampaignCommands } from '../catalog/cli/campaign-commands.js';
import { addCatalogCommands } from '../catalog/cli/catalog-commands.js';
import { CommandError, CommandFailed } from './command-error.js';
import { addFraudCommands } from '../fraud/cli/fraud-command.js';
import { addExplainCommands } from '../explain/cli/explain-commands.js';
import { addKeysCommands } from './keys-commands.js';
import { addLedgerCommands } from '../accounts/cli/ledger-commands.js';
import { addPublisherCommands } from '../accounts/cli/publisher-commands.js';
import { addReportCommand } from '../reports/cli/report-command.js';
import { addTraceCommand } from '../story/cli/trace-command.js';
import { addUserCommands } from '../users/cli/user-commands.js';
import { addForecastCommand } from '../forecast/cli/forecast-command.js';
import { addHealthCommand } from '../health/cli/health-command.js';
import { addRewardCommands } from '../rewards/cli/reward-commands.js';
import { addWebhookCommands } from '../webhooks/cli/webhook-commands.js';
import type { CommandIo } from './session.js';
import { toLines } from './to-lines.js';

/**
 * Runs one `placard` command line and returns its exit status.
 * Contract: docs/contract/operator-interface.md#the-placard-command.
 */
export async function runPlacard(args: readonly string[], to: CommandIo): Promise<number> {
  const io = showingOnly(to);
  const program = makeProgram(io);
  try {
    const unreadable = unreadableArgument(args);
    if (unreadable !== null) throw new CommandError(`argument ${unreadable}`);
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, io);
  }
}

/** Makes all output safe: a terminal shows control characters as escapes and does not obey them. */
function showingOnly(io: CommandIo): CommandIo {
  return { ...io, out: (text) => io.out(printable(text)), err: (text) => io.err(printable(text)) };
}

function makeProgram(io: CommandIo): Command {
  const program = new Command('placard')
    .description('Operates a running instance of Placard.')
    .option(
      '--data <dir>',
      'data folder of the instance (default: .data, or PLACARD_ADDRESS when set)',
      readDataDir,
    )
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => {
        const what = text
          .trim()
          .replace(/^error: /, '')
          .replace(/\.$/, '');
        write(`placard: ${what.replace(/\n/g, ' ')}. Add --help to see how the command is used.\n`);
      },
    })
    .exitOverride();
  addCatalogCommands(program, io);
  addCampaignCommands(program, io);
  addAdvertiserCommands(program, io);
  addPublisherCommands(program, io);
  addLedgerCommands(program, io);
  addReportCommand(program, io);
  addFraudCommands(program, io);
  addExplainCommands(program, io);
  addTraceCommand(program, io);
  addHealthCommand(program, io);
  addWebhookCommands(program, io);
  addRewardCommands(program, io);
  addForecastCommand(program, io);
  addKeysCommands(program, io);
  addKeyCommands(program, io);
  addUserCommands(program, io);
  addAuditCommand(program, io);
  return program;
}

/** Refuses an empty name. It comes from a variable that is not set and would mean the current folder. */
function readDataDir(dir: string): string {
  if (dir !== '') return dir;
  throw new CommandError('--data needs a value. Name the data folder, or omit --data to use .data.');
}

function report(error: unknown, io: CommandIo): number {
  if (error instanceof CommandFailed) return 1;
  // Commander has already printed the fault of the command line. A request for help is not a fault.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
  if (error instanceof CommandError) io.err(toLines(`placard: ${error.message}`));
  else if (error instanceof AppError) io.err(toLines(`placard: ${explain(error)}`));
  else io.err(toLines(`placard: unexpected error: ${messageOf(error)}. Look at the logs of the instance.`));
  return 1;
}

function explain(error: AppError): string {
  switch (error.code) {
    case 'unavailable':
      return `${error.publicText} Check that the instance is running and ready, then try again.`;
    case 'deadline_exceeded':
      return `${error.publicText} Try again; if it fails again, read the logs of the instance.`;
    case 'permission_denied':
      return `${error.publicText} Set PLACARD_KEY to a key that may do this.`;
    case 'rate_limited':
      return `${error.publicText} Wait a minute, then try again.`;
    case 'server_error':
      return `${error.publicText} The reason is in the logs of the instance.`;
    case 'invalid_argument':
    case 'validation_failed':
      return `${error.publicText} Correct it and try again.`;
    default:
      return error.publicText;
  }
}
