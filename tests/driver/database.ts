import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';

const run = promisify(execFile);

/** The URL of the built-in Postgres of a data folder, past all proxies. */
export async function databaseUrlOf(dataDir: string): Promise<string> {
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(dataDir, name), 'utf8')) as unknown;
  const { postgresPassword } = (await read('secrets.json')) as { readonly postgresPassword: string };
  const ports = (await read('ports.json')) as { readonly postgres: number };
  return `postgres://placard:${encodeURIComponent(postgresPassword)}@127.0.0.1:${ports.postgres}/placard`;
}

/** Where the built-in Postgres of a data folder keeps its data. */
export function clusterOf(dataDir: string): string {
  return path.join(dataDir, 'postgres', 'cluster');
}

/**
 * An online backup by Postgres's own low-level calls, with nothing but SQL and copying, as docs/runbooks/backup-and-restore.md
 * has it: the cluster's files between start and stop, then the log that was written meanwhile and the label. `to` must not
 * exist; its files belong to whom the cluster belongs to.
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

/** Copies a folder that is written to. Files that vanish meanwhile are no fault: the log has what was in them. */
async function copyLive(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to], { env: { ...process.env, LC_ALL: 'C' } }).catch((error: unknown) => {
    const { stderr } = error as { readonly stderr: string };
    const hasVanished = (line: string): boolean => line.endsWith(': No such file or directory');
    if (!stderr.trim().split('\n').every(hasVanished)) throw error;
  });
}
