import type { Command } from 'commander';
import type { operations } from '../../../gen/manage-api.js';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { CommandError } from '../../cli/command-error.js';
import { answerOf, dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { readWhen } from '../../reports/cli/report-command.js';
import { KEYS, toSuspiciousCsv, toSuspiciousTable, type SuspiciousKey } from './suspicious-output.js';

type FraudQuery = NonNullable<operations['listSuspiciousEvents']['parameters']['query']>;

interface FraudOptions {
  readonly by?: string;
  readonly rule?: string;
  readonly app?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: OutputFormat;
}

/** Adds `fraud events`. Contract: docs/contract/fraud-rules.md#suspicious-event-log. */
export function addFraudCommands(program: Command, io: CommandIo): void {
  program
    .command('fraud')
    .description('Show what the fraud rules rejected.')
    .command('events')
    .description('Count suspicious events by rule, app, placement and session.')
    .option('--by <keys>', `split the rows by a comma-separated list of: ${KEYS.join(', ')} (default: all)`)
    .option('--rule <rule>', 'only events of this rule')
    .option('--app <id>', 'only events of this app')
    .option('--from <when>', 'first UTC day (2026-01-31) or first instant (2026-01-31T10:00:00Z)')
    .option('--to <when>', 'last UTC day, included, or the instant before which the range ends')
    .addOption(formatOption())
    .action((options: FraudOptions, command: Command) => listEvents(io, options, dataDirOf(command)));
}

async function listEvents(io: CommandIo, options: FraudOptions, dataDir: string | undefined): Promise<void> {
  const by = readKeys(options.by);
  const from = readWhen('--from', options.from);
  const to = readWhen('--to', options.to);
  const query: FraudQuery = { by };
  if (options.rule !== undefined) query.rule = options.rule;
  if (options.app !== undefined) query.app = options.app;
  if (from !== undefined) query.from = from;
  if (to !== undefined) query.to = to;
  await withInstance({ io, dataDir }, async (client) => {
    const report = await answerOf(client.GET('/fraud/events', { params: { query } }));
    io.out(
      inFormat(report, options.format, {
        table: () => toSuspiciousTable(by, report),
        csv: () => toSuspiciousCsv(by, report),
      }),
    );
  });
}

function readKeys(by: string | undefined): SuspiciousKey[] {
  if (by === undefined) return [...KEYS];
  const names = [...new Set(by.split(',').map((name) => name.trim()))];
  const keys = KEYS.filter((key) => names.includes(key));
  if (keys.length === names.length) return keys;
  throw new CommandError(`cannot split suspicious events by ${by}. Choose from ${KEYS.join(', ')}.`);
}
