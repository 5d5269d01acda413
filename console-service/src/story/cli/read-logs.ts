import { messageOf } from '@placard/service-kit/errors';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { CommandError } from '../../cli/command-error.js';
import { mayNameRequest, readLogLine, type LogLine } from '../domain/log-lines.js';

/**
 * Reads the lines about requests from logs. `-` is standard input. Other text between the lines is skipped. Throws a
 * CommandError for a file that cannot be read.
 */
export async function readLogs(files: readonly string[]): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  for (const file of files) {
    try {
      await readInto(lines, file === '-' ? process.stdin : createReadStream(file));
    } catch (error) {
      throw new CommandError(
        `the log ${file} cannot be read: ${messageOf(error)}. Name another with --logs.`,
      );
    }
  }
  return lines;
}

async function readInto(lines: LogLine[], input: Readable): Promise<void> {
  const failed = new Promise<never>((_, reject) => input.once('error', reject));
  const reading = (async () => {
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      const line = mayNameRequest(text) ? readLogLine(text) : null;
      if (line !== null) lines.push(line);
    }
  })();
  await Promise.race([reading, failed]);
}
