import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** The direct URL of the built-in Postgres of a data folder, without proxies. */
export async function databaseUrlOf(dataDir: string): Promise<string> {
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(dataDir, name), 'utf8')) as unknown;
  const { postgresPassword } = (await read('secrets.json')) as { readonly postgresPassword: string };
  const ports = (await read('ports.json')) as { readonly postgres: number };
  return `postgres://placard:${encodeURIComponent(postgresPassword)}@127.0.0.1:${ports.postgres}/placard`;
}

/** Runs one statement over a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Where the built-in Postgres of a data folder keeps its data. */
export function clusterOf(dataDir: string): string {
  return path.join(dataDir, 'postgres', 'cluster');
}

/**
 * Makes an online backup with SQL and file copies alone, as in docs/runbooks/backup-and-restore.md: the cluster's files
 * between start and stop, then the log that was written meanwhile and the label. `to` must not exist; its files get the owner
 * of the cluster.
 */
export async function copyRunningCluster(client: pg.Client, cluster: string, to: string): Promise<void> {
  await client.query("SELECT pg_backup_start('drill', true)");
  await copyLive(cluster, to);
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await copyLive(path.join(cluster, 'pg_wal'), to);
  await writeFile(path.join(to, 'backup_label'), rows[0]!.labelfile);
  await rm(path.join(to, 'postmaster.pid'), { force: true });
  await run('chown', ['-R', '--reference', cluster, to]);
}

/** Copies a folder that is in use. Files that disappear meanwhile are no fault: the log has their content. */
async function copyLive(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to], { env: { ...process.env, LC_ALL: 'C' } }).catch((error: unknown) => {
    const { stderr } = error as { readonly stderr: string };
    const hasVanished = (line: string): boolean => line.endsWith(': No such file or directory');
    if (!stderr.trim().split('\n').every(hasVanished)) throw error;
  });
}
