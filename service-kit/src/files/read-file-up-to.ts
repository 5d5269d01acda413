import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;

/**
 * The bytes of a file, a pipe or a device. Null: there are more than `bytesMax`; at most one byte more is read. Throws
 * the system's error when it cannot be read.
 */
export function readFileUpTo(file: string, bytesMax: number): Uint8Array | null {
  const descriptor = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytesMax + 1 - total));
      const read = readSync(descriptor, chunk, 0, chunk.length, null);
      if (read === 0) return Buffer.concat(chunks, total);
      total += read;
      if (total > bytesMax) return null;
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
}
