import { runPlacard } from '../../src/cli/program.js';

/** The output of a command and its exit status. */
export interface CommandOutcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a `placard` command in this process; `env` is its whole environment. */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandOutcome> {
  let out = '';
  let err = '';
  const status = await runPlacard(args, {
    env,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { status, out, err };
}
