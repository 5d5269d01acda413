import { WatchResponse } from '@placard/protos/catalog/v1/catalog.js';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CATALOG_KINDS } from '../pure/index.js';
import { replaceFileInPieces, type Append } from '../files/replace-file.js';
import type { Catalog } from './catalog.js';
import type { CatalogObject } from './object.js';
import { objectToWire } from './wire.js';

/** Objects encoded in one turn of the event loop: about one millisecond of work. */
const CHUNK_OBJECTS_MAX = 500;
const LENGTH_BYTES = 4;

/**
 * Writes a snapshot into a new file, which then replaces the old one. The file holds the messages of a stream, each
 * preceded by its length in 4 bytes. The version and the objects are those at the moment of the call.
 */
export async function writeCacheFile(path: string, catalog: Catalog): Promise<void> {
  const version = BigInt(catalog.version);
  const objects = objectsOf(catalog);
  await mkdir(dirname(path), { recursive: true });
  await replaceFileInPieces(path, (append) => writeMessages(append, version, objects));
}

/**
 * Reads a snapshot message by message; answers when it was written (epoch ms). Null: there is no such file. Rejects
 * when the file is damaged; the caller must then discard the messages that it has received.
 */
export async function readCacheFile(
  path: string,
  receive: (message: WatchResponse) => void,
): Promise<{ readonly writtenAtMs: number } | null> {
  const file = await readIfThere(path);
  if (file === null) return null;
  const { bytes, writtenAtMs } = file;
  let isWhole = false;
  for (let at = 0; at < bytes.length;) {
    if (at + LENGTH_BYTES > bytes.length) throw new Error('the file is cut off');
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new Error('the file is cut off');
    const message = WatchResponse.decode(bytes.subarray(at + LENGTH_BYTES, end));
    receive(message);
    isWhole = message.event?.$case === 'snapshotEnd';
    at = end;
    await nextTurn();
  }
  if (!isWhole) throw new Error('the file has no end');
  return { writtenAtMs };
}

async function readIfThere(path: string): Promise<{ bytes: Buffer; writtenAtMs: number } | null> {
  try {
    return { bytes: await readFile(path), writtenAtMs: Math.trunc((await stat(path)).mtimeMs) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeMessages(
  append: Append,
  version: bigint,
  objects: readonly CatalogObject[],
): Promise<void> {
  await append(frame({ event: { $case: 'snapshotStart', value: {} } }));
  for (let at = 0; at < objects.length; at += CHUNK_OBJECTS_MAX) {
    const upserts = objects.slice(at, at + CHUNK_OBJECTS_MAX).map(objectToWire);
    await append(frame({ event: { $case: 'changes', value: { version: 0n, upserts, deletions: [] } } }));
  }
  await append(frame({ event: { $case: 'snapshotEnd', value: { version } } }));
}

function frame(message: WatchResponse): Buffer {
  const bytes = WatchResponse.encode(message).finish();
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Copies references only: 300,000 take a few milliseconds. Objects never change in place. */
function objectsOf(catalog: Catalog): CatalogObject[] {
  const objects: CatalogObject[] = [{ kind: 'global', value: catalog.global }];
  for (const kind of CATALOG_KINDS) {
    for (const value of catalog.table(kind).values()) objects.push({ kind, value } as CatalogObject);
  }
  return objects;
}
