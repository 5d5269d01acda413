import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { runner } from 'node-pg-migrate';
import { loadText } from '../files/text-file.js';

type Loader = NonNullable<Parameters<typeof runner>[0]['migrationLoaderStrategies']>[number];
type LoadFiles = Exclude<Loader['loader'], string>;
type Up = Exclude<Awaited<ReturnType<LoadFiles>>[number]['actions']['up'], false | undefined>;
type Builder = Parameters<Up>[0];

const describeIndexSql = loadText(import.meta.url, './describe-index.sql');

const BUILD_INDEX =
  /^create (?<unique>unique )?index concurrently if not exists (?<name>\w+) on (?<table>\w+\.\w+) (?<rest>[^;]+);?$/i;
const DROP_INDEX = /^drop index concurrently if exists [\w.]+;?$/i;
const VALIDATE = /^alter table [\w.]+ validate constraint \w+;?$/i;
const CONCURRENTLY = /\bconcurrently\b/i;

/** Longest run of a statement that blocks no writer, in milliseconds. */
const LONG_STATEMENT_MS_MAX = 3_600_000;
/** Longest name of an index that Postgres keeps whole, in bytes. */
const NAME_BYTES_MAX = 63;

/**
 * Loads migrations for `node-pg-migrate`. A file runs in one transaction. A file of one statement that blocks no writer
 * runs outside of one and may take an hour: an index that is built or dropped CONCURRENTLY, or a constraint that is
 * validated. Each is safe to repeat after it broke off.
 */
export const sqlMigrations: Loader = {
  extensions: ['.sql'],
  loader: async (files) =>
    Promise.all(
      files.map(async (file) => {
        const text = await readFile(file, 'utf8');
        return { id: file, filePaths: [file], actions: { up: stepsOf(file, text), down: false as const } };
      }),
    ),
};

function stepsOf(file: string, text: string): Up {
  const statement = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  const index = BUILD_INDEX.exec(statement)?.groups as IndexToBuild | undefined;
  if (index !== undefined) return (pgm) => buildIndex(pgm, index);
  if (DROP_INDEX.test(statement) || VALIDATE.test(statement))
    return (pgm) => {
      runAlone(pgm, [statement]);
    };
  if (CONCURRENTLY.test(statement)) {
    const forms =
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS name ON schema.table …, DROP INDEX CONCURRENTLY IF EXISTS name';
    throw new Error(
      `${path.basename(file)}: what runs CONCURRENTLY has a file of its own, in one of these forms: ${forms}`,
    );
  }
  return (pgm) => pgm.sql(text);
}

/** The parts of `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS name ON schema.table rest`. */
interface IndexToBuild {
  readonly unique?: string;
  readonly name: string;
  readonly table: string;
  readonly rest: string;
}

/** Facts of describe-index.sql. */
interface IndexState {
  readonly is_partitioned: boolean;
  readonly broken: string | null;
  readonly partitions: readonly string[];
}

/**
 * Postgres builds no index of a partitioned table concurrently. So the index is made on the empty parent, which is quick,
 * and built on each partition, which then joins it. A new partition has its part from the start.
 */
async function buildIndex(pgm: Builder, { unique = '', name, table, rest }: IndexToBuild): Promise<void> {
  const state = await describeIndex(pgm, table, name);
  const make = (own: string, on: string): string =>
    `CREATE ${unique}INDEX CONCURRENTLY IF NOT EXISTS ${own} ON ${on} ${rest}`;
  if (!state.is_partitioned) {
    runAlone(pgm, [...dropping(state), make(name, table)]);
    return;
  }
  const steps = [`CREATE ${unique}INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${rest}`];
  const [schema = ''] = table.split('.');
  for (const partition of state.partitions) {
    const own = partIndexName(partition, name);
    steps.push(...dropping(await describeIndex(pgm, partition, own)), make(own, partition));
    steps.push(`ALTER INDEX ${schema}.${name} ATTACH PARTITION ${schema}.${own}`);
  }
  runAlone(pgm, steps);
}

async function describeIndex(pgm: Builder, table: string, index: string): Promise<IndexState> {
  const [state] = (await pgm.db.select(describeIndexSql, [table, index])) as IndexState[];
  if (state === undefined) throw new Error(`there is no table ${table}`);
  return state;
}

function dropping({ broken }: IndexState): readonly string[] {
  return broken === null ? [] : [`DROP INDEX CONCURRENTLY IF EXISTS ${broken}`];
}

/** The name of a partition's part of an index, such as `event_20261129_by_app`. */
function partIndexName(partition: string, index: string): string {
  const name = `${partition.split('.')[1] ?? ''}_${index}`;
  if (Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw new Error(`the name ${name} is too long; shorten ${index}`);
  return name;
}

/**
 * Runs statements one by one without a transaction. What waits without a writer behind it may wait and run long. Then the
 * session has its own limits again; after a failure `migrate` sees to that.
 */
function runAlone(pgm: Builder, statements: readonly string[]): void {
  pgm.noTransaction();
  for (const statement of statements) {
    const isConcurrent = CONCURRENTLY.test(statement);
    pgm.sql(isConcurrent ? 'SET lock_timeout = 0' : 'RESET lock_timeout');
    pgm.sql(`SET statement_timeout = ${LONG_STATEMENT_MS_MAX}`);
    pgm.sql(statement);
  }
  pgm.sql('RESET lock_timeout');
  pgm.sql('RESET statement_timeout');
}
