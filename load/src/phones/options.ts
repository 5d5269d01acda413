import { unreadableArgument } from '@placard/service-kit/pure';
import { parseArgs } from 'node:util';
import type { FleetOptions } from './fleet.js';

/** Options of the command. */
export interface PhonesOptions extends FleetOptions {
  /** Data folder of the running instance. */
  readonly dataDir: string;
}

/** Phones times speed: with more, two cores do not keep up. */
const PACE_MAX = 60_000;
const SESSIONS_MAX = 10_000;
const HOURS_MIN = 0.1;
const HOURS_MAX = 168;
const SPEED_MAX = 1_000;
const SEED_MAX = 1_000_000;

/** Output of `--help`. */
export const HELP = `Simulates phones with the client SDK against a running \`npm start\`, and compares their own record with the reports.

Usage: npm run phones -- [options]

  --sessions N   phones, each with one app: a whole number from 1 to ${SESSIONS_MAX} (default: 200)
  --hours H      length of the simulated time in hours, from ${HOURS_MIN} to ${HOURS_MAX} (default: 24)
  --speed X      how many times faster than real time the simulation runs, from 1 to ${SPEED_MAX} (default: 60)
  --seed S       seed of the phones and of what they do: a whole number from 1 to ${SEED_MAX} (default: 1)
  --data DIR     data folder of the instance, which names its address (default: .data in this folder)
  --help         this text

\`--sessions\` times \`--speed\` may be ${PACE_MAX} at most.

The simulation covers \`--hours\` of a day with busy and quiet hours, in several countries, on good and bad networks.
Apps are killed now and then, and their unsent events are sent at the next start. At the end everything is sent, and the
command prints the record beside the report. Exit status 1: they differ, or the instance no longer answers.

Nothing else may use the apps of the catalog during the run, because its traffic would be a difference. Whatever the
server measures by its own clock takes its real time: docs/phones.md.`;

/** Reads the arguments. Throws an `Error` with the fault, in one line. */
export function parsePhonesOptions(argv: readonly string[]): PhonesOptions {
  const unreadable = unreadableArgument(argv);
  if (unreadable !== null) throw new Error(`Argument ${unreadable}`);
  const values = parse(argv);
  const sessions = numberOf(values, 'sessions', { otherwise: 200, min: 1, max: SESSIONS_MAX, isWhole: true });
  const speed = numberOf(values, 'speed', { otherwise: 60, min: 1, max: SPEED_MAX });
  if (sessions * speed > PACE_MAX) {
    throw new Error(
      `--sessions ${sessions} at --speed ${speed} is too much traffic: their product may be ${PACE_MAX}. ` +
        'For more load use npm run load.',
    );
  }
  if (values.data === '') throw new Error('--data: must name the data folder; omit it to use .data');
  return {
    sessions,
    speed,
    hours: numberOf(values, 'hours', { otherwise: 24, min: HOURS_MIN, max: HOURS_MAX }),
    seed: numberOf(values, 'seed', { otherwise: 1, min: 1, max: SEED_MAX, isWhole: true }),
    dataDir: values.data ?? '.data',
  };
}

interface Bound {
  readonly otherwise: number;
  readonly min: number;
  readonly max: number;
  readonly isWhole?: boolean;
}

function numberOf(
  values: Values,
  option: Exclude<keyof Values, 'data'>,
  { otherwise, min, max, isWhole = false }: Bound,
): number {
  const text = values[option];
  const value = text === undefined ? otherwise : Number(text.trim() === '' ? Number.NaN : text);
  const isGood = isWhole ? Number.isInteger(value) : Number.isFinite(value);
  if (isGood && value >= min && value <= max) return value;
  throw new Error(`--${option}: must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`);
}

type Values = ReturnType<typeof parse>;

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const options = { sessions: text, hours: text, speed: text, seed: text, data: text };
    return parseArgs({ args: [...argv], options }).values;
  } catch (error) {
    const [what = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new Error(`${what}. npm run phones -- --help lists the options.`, { cause: error });
  }
}
