import type { Command } from 'commander';
import type { operations } from '../../../gen/manage-api.js';
import { freeText, toCsv } from '../../cli/csv.js';
import { formatOption, inFormat, type OutputFormat } from '../../cli/output-format.js';
import { addPageOptions, morePages, pageQuery, type PageOptions } from '../../cli/page-options.js';
import { answerOf, dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { textTable } from '../../cli/text-table.js';
import type { Schemas } from '../../manage/domain/operations.js';
import { readWhen } from '../../reports/cli/report-command.js';

type AuditQuery = NonNullable<operations['readAudit']['parameters']['query']>;

interface AuditOptions extends PageOptions {
  readonly actor?: string;
  readonly what?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: OutputFormat;
}

const TABLE = ['at', 'actor', 'what', 'subject', 'details'];
const CSV = ['id', 'at', 'actor', 'what', 'kind', 'subject', 'version', 'details'];

/** Adds `audit`. Contract: docs/contract/operator-interface.md#audit. */
export function addAuditCommand(program: Command, io: CommandIo): void {
  const audit = program
    .command('audit')
    .description('Show who did what and when, newest first: changes, bookings, log-ins and refusals.')
    .option('--actor <text>', 'only rows whose actor has this text: an id, a name or a system user')
    .option('--what <list>', 'only rows in which one of these was done, such as refused,key_created')
    .option('--from <when>', 'first UTC day (2026-01-31) or first instant (2026-01-31T10:00:00Z)')
    .option('--to <when>', 'last UTC day, included, or the instant before which the rows end');
  addPageOptions(audit)
    .addOption(formatOption())
    .action((options: AuditOptions, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const params = { query: queryOf(options) };
        const page = await answerOf(client.GET('/audit', { params }));
        io.out(inFormat(page, options.format, { table: toAuditTable, csv: toAuditCsv }));
      }),
    );
}

function queryOf(options: AuditOptions): AuditQuery {
  const query: AuditQuery = pageQuery(options);
  const from = readWhen('--from', options.from);
  const to = readWhen('--to', options.to);
  if (options.actor !== undefined) query.actor = options.actor;
  // The instance refuses an unknown one and names those that there are.
  if (options.what !== undefined) query.what = options.what.split(',') as NonNullable<AuditQuery['what']>;
  if (from !== undefined) query.from = from;
  if (to !== undefined) query.to = to;
  return query;
}

function toAuditTable({ rows, next_cursor: next }: Schemas['Audit']): string {
  const lines = rows.map(({ at, actor, what, kind, subject, details }) => [
    at,
    actor,
    what,
    kind === null ? subject : `${kind} ${subject}`,
    details.join('; '),
  ]);
  return textTable([TABLE, ...lines], TABLE.length) + morePages(next);
}

function toAuditCsv({ rows }: Schemas['Audit']): string {
  const lines = rows.map(({ id, at, actor, what, kind, subject, version, details }) => [
    id,
    at,
    freeText(actor),
    what,
    kind ?? '',
    freeText(subject),
    version === null ? '' : String(version),
    freeText(details.join('; ')),
  ]);
  return toCsv([CSV, ...lines]);
}
