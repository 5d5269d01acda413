import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from './command-error.js';

const DATA_DIR_DEFAULT = '.data';
const START_IT = 'Start one with `npm start`, or name another with --data DIR or PLACARD_ADDRESS=host:port.';

/**
 * Finds the running instance's console-service (`host:port`): the data folder that was named, else `PLACARD_ADDRESS`,
 * else the data folder `.data`. A CommandError says so when none runs.
 */
export function findInstance(env: NodeJS.ProcessEnv, dataDir: string | undefined): string {
  const address = env['PLACARD_ADDRESS'];
  if (dataDir === undefined && address !== undefined && address !== '') return address;
  const file = path.join(dataDir ?? DATA_DIR_DEFAULT, 'instance.json');
  const instance = readInstance(file);
  if (instance === null || !isAlive(instance.pid)) {
    throw new CommandError(`no instance is running (${file} names none). ${START_IT}`);
  }
  return instance.address;
}

function readInstance(file: string): { readonly pid: number; readonly address: string } | null {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
    const { pid, console_address: address } = content;
    return typeof pid === 'number' && typeof address === 'string' ? { pid, address } : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
