import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const PLACARD = fileURLToPath(new URL('../../console-service/bin/placard.mjs', import.meta.url));
const COMMAND_WAIT_MS_MAX = 90_000;

/** What one run of the `placard` command left behind. */
export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `placard` against the console-service at `address` (host:port); null: with no instance named. */
export function runPlacard(address: string | null, args: readonly string[]): Promise<CommandResult> {
  const env = { ...process.env };
  delete env['PLACARD_ADDRESS'];
  if (address !== null) env['PLACARD_ADDRESS'] = address;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PLACARD, ...args], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_WAIT_MS_MAX,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (status) => {
      resolve({ status, stdout, stderr });
    });
  });
}
