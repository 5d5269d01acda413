import { messageOf } from '@placard/service-kit/errors';
import type * as Tokens from '@placard/service-kit/tokens';
import { systemClock, systemRandom } from '@placard/service-kit/pure';
import { realpathSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { CommandError } from './command-error.js';
import { holdFile, type HeldFile } from './held-file.js';
import { keyRingFilesOf } from './instance.js';
import { dataDirOf, type CommandIo } from './session.js';
import { toLines } from './to-lines.js';

const LEAD_SECONDS_DEFAULT = 300;
const LEAD_SECONDS_MIN = 5;
const LEAD_SECONDS_MAX = 86_400;
const KID_BYTES = 4;
const KEY_BYTES = 32;

interface RotateOptions {
  readonly file: readonly string[];
  readonly lead: number;
}

/** Adds `keys rotate`. */
export function addKeysCommands(program: Command, io: CommandIo): void {
  const keys = program.command('keys').description('Keys that seal session and impression tokens.');
  keys
    .command('rotate')
    .description(
      'Add a new key to each key ring, without downtime: every process reads it first and seals with it later; ' +
        'old tokens stay valid until they expire.',
    )
    .option('--file <FILE...>', 'rotate these files instead of those of the running instance', [])
    .option(
      '--lead <SECONDS>',
      'time until the new keys seal tokens; every process must have read them by then',
      readLead,
      LEAD_SECONDS_DEFAULT,
    )
    .action((options: RotateOptions, command: Command) => rotate(io, options, dataDirOf(command)));
}

function readLead(text: string): number {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= LEAD_SECONDS_MIN && seconds <= LEAD_SECONDS_MAX) return seconds;
  throw new InvalidArgumentError(`Must be a whole number from ${LEAD_SECONDS_MIN} to ${LEAD_SECONDS_MAX}.`);
}

async function rotate(io: CommandIo, options: RotateOptions, dataDir: string | undefined): Promise<void> {
  // Sealing loads libraries that no other command needs.
  const tokens = await import('@placard/service-kit/tokens');
  const files = options.file.length > 0 ? options.file : keyRingFilesOf(io.env, dataDir);
  const held: HeldFile[] = [];
  try {
    for (const file of files) held.push(hold(file, held));
    // All rings are read and checked before one is written, so a fault changes nothing.
    const rotated = held.map((ring) => ({ ring, ...rotatedRing(tokens, ring.name, options.lead) }));
    for (const { ring, file, text, kid, dropped, sealsFrom } of rotated) {
      replace(ring, text);
      const over = dropped === 0 ? '' : `; expired keys removed: ${dropped}`;
      io.out(toLines(`${file}: key ${kid} added, seals from ${sealsFrom} on${over}`));
    }
  } finally {
    for (const ring of held) ring.release();
  }
}

/** Holds a ring. Simultaneous rotations would lose a key, and a file that is named twice would get two keys. */
function hold(file: string, others: readonly HeldFile[]): HeldFile {
  const where = orRefuse(file, () => realpathSync(file));
  if (others.some((other) => other.file === where)) {
    throw new CommandError(`${file} is named twice. Nothing was changed; name each file once.`);
  }
  return orRefuse(file, () => holdFile(file));
}

/** Replaces a ring. When it fails, earlier rings of the list are rotated and this one is unchanged. */
function replace(ring: HeldFile, text: string): void {
  const { name, file } = ring;
  try {
    ring.replace(text);
  } catch (error) {
    throw new CommandError(
      `the key ring ${name} is not rotated: ${messageOf(error)}. It is unchanged; ` +
        `make ${file} writable and rotate it with --file ${name}.`,
    );
  }
}

interface Rotated {
  readonly file: string;
  readonly text: string;
  readonly kid: string;
  readonly dropped: number;
  /** ISO 8601. */
  readonly sealsFrom: string;
}

function rotatedRing(
  { parseRing, readRingFile, rotateRing, writeRing }: typeof Tokens,
  file: string,
  leadSeconds: number,
): Rotated {
  const nowMs = systemClock.now();
  const added = {
    kid: `k${Buffer.from(systemRandom.bytes(KID_BYTES)).toString('hex')}`,
    secret: systemRandom.bytes(KEY_BYTES),
    // A ring stores instants in whole seconds.
    sealsFromMs: Math.ceil(nowMs / 1_000 + leadSeconds) * 1_000,
  };
  const keys = orRefuse(file, () => parseRing(readRingFile(file)));
  const ring = rotateRing(keys, added, nowMs);
  if (ring === null) {
    throw new CommandError(
      `${file} has too many keys whose tokens may still be valid. Rotate again when the oldest are two days out of use.`,
    );
  }
  return {
    file,
    text: `${writeRing(ring)}\n`,
    kid: added.kid,
    dropped: keys.length + 1 - ring.length,
    sealsFrom: new Date(added.sealsFromMs).toISOString(),
  };
}

function orRefuse<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `the key ring ${file} is not rotated: ${messageOf(error)}. Nothing was changed; correct it and try again.`,
    );
  }
}
