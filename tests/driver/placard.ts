import { OPERATOR_KEY } from '@placard/local';
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const PLACARD = fileURLToPath(new URL('../../console-service/bin/placard.mjs', import.meta.url));
const PROGRAM = new URL('../../console-service/dist/cli/program.js', import.meta.url).href;
const COMMAND_WAIT_MS_MAX = 90_000;

/** The result of one run of the `placard` command. */
export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command as a function, as `bin/placard.mjs` runs it. It saves the second that a new process takes. */
interface Program {
  readonly runPlacard: (args: readonly string[], io: CommandIo) => Promise<number>;
}

interface CommandIo {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/**
 * Runs `placard` against the console-service at `address` (host:port); null: names no instance. `env`: further variables, such
 * as those of a certificate.
 */
export async function runPlacard(
  address: string | null,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const { runPlacard: run } = (await import(PROGRAM)) as Program;
  let stdout = '';
  let stderr = '';
  const status = await run(args, {
    env: { ...environment(address), ...env },
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
  });
  return { status, stdout, stderr };
}

/** The JSON output of a command, which must succeed. */
export async function readPlacard<T>(address: string, ...args: readonly string[]): Promise<T> {
  const { status, stdout, stderr } = await runPlacard(address, [...args, '--json']);
  expect(status, stderr + stdout).to.equal(0);
  return JSON.parse(stdout) as T;
}

/** Like {@link runPlacard}, in a process of its own, as an operator runs it. `input` is its standard input. */
export function spawnPlacard(
  address: string | null,
  args: readonly string[],
  input = '',
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PLACARD, ...args], {
      cwd: ROOT,
      env: environment(address),
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: COMMAND_WAIT_MS_MAX,
    });
    child.stdin.end(input);
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

function environment(address: string | null): NodeJS.ProcessEnv {
  const env = { ...process.env };
  delete env['PLACARD_ADDRESS'];
  if (address !== null) {
    env['PLACARD_ADDRESS'] = address;
    env['PLACARD_KEY'] = OPERATOR_KEY;
  }
  return env;
}
