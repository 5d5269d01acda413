import { messageOf } from '@placard/service-kit/errors';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** Writes some of the bytes and returns how many; throws when it cannot. */
export type WriteSome = (bytes: Uint8Array) => number;

/** The output of a command. After the first fault nothing more is written. */
export interface Output {
  write(text: string): void;
  /**
   * Waits for pending writes; returns the reason when something was not written, or null. A reader that has closed the
   * pipe, such as `head`, is no fault.
   */
  end(): Promise<string | null>;
}

/** The used parts of `process.stdout`. */
export type StandardStream = Writable & { readonly fd: number };

/**
 * Prints to a standard stream and reports every lost write. A file is written here and not by Node, which ignores a
 * partial write to a full disk.
 */
export function openOutput(stream: StandardStream): Output {
  return stream instanceof Socket ? toStream(stream) : toFile((bytes) => writeSync(stream.fd, bytes));
}

/** An output whose writes are complete when they return. */
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

/** An output to a pipe or a terminal. */
export function toStream(stream: Writable): Output {
  let fault: unknown = null;
  let written = Promise.resolve();
  // Without a listener the fault would end the process. The write receives it as well.
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

/** The message for a fault of the output, on one line. */
export function outputFault(reason: string): string {
  return `placard: standard output cannot be written: ${reason}. The output is incomplete. Free space or write to another place, then run the command again.\n`;
}

function faultText(fault: unknown): string | null {
  const isReaderGone = fault instanceof Error && 'code' in fault && fault.code === 'EPIPE';
  return fault === null || isReaderGone ? null : messageOf(fault);
}
