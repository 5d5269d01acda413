import { messageOf } from '@placard/service-kit';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** Writes some of the bytes at once and answers how many; throws when it cannot. */
export type WriteSome = (bytes: Uint8Array) => number;

/** Where a command prints. After the first fault nothing more is written. */
export interface Output {
  write(text: string): void;
  /**
   * Waits for what is still on its way; answers the reason when something was not written, or null. A reader that has
   * gone, such as `head`, has what it wanted and is no fault.
   */
  end(): Promise<string | null>;
}

/** What is used of `process.stdout`. */
export type StandardStream = Writable & { readonly fd: number };

/**
 * Prints to a standard stream without losing anything unnoticed. A file is written here and not by Node, which takes a
 * write that fills the disk for a whole one.
 */
export function openOutput(stream: StandardStream): Output {
  return stream instanceof Socket ? toStream(stream) : toFile((bytes) => writeSync(stream.fd, bytes));
}

/** An output of which every write is over when it returns. */
export function toFile(writeSome: WriteSome): Output {
  let fault: unknown = null;
  return {
    write(text) {
      if (fault !== null) return;
      try {
        let bytes: Uint8Array = Buffer.from(text);
        while (bytes.length > 0) bytes = bytes.subarray(writeSome(bytes));
      } catch (error) {
        fault = error;
      }
    },
    end: () => Promise.resolve(faultText(fault)),
  };
}

/** An output that is a pipe or a terminal. */
export function toStream(stream: Writable): Output {
  let fault: unknown = null;
  let written = Promise.resolve();
  // Without a listener the fault would end the process; it comes to the write as well.
  stream.on('error', () => undefined);
  return {
    write(text) {
      if (fault !== null) return;
      written = new Promise((resolve) => {
        stream.write(text, (error) => {
          fault ??= error ?? null;
          resolve();
        });
      });
    },
    async end() {
      await written;
      return faultText(fault);
    },
  };
}

/** What is said of a fault of the output, on one line. */
export function outputFault(reason: string): string {
  return `placard: standard output cannot be written: ${reason}. What it holds is not complete: make room or name another place, then run the command again.\n`;
}

function faultText(fault: unknown): string | null {
  const isReaderGone = fault instanceof Error && 'code' in fault && fault.code === 'EPIPE';
  return fault === null || isReaderGone ? null : messageOf(fault);
}
