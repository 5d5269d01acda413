import type { WatchRequest, WatchResponse } from '@placard/protos/catalog/v1/catalog.js';
import { appError } from '@placard/service-kit';
import type { ResponseStream } from '@placard/service-kit/grpc';
import type { CatalogFeed, FeedChanges } from '../usecase/catalog-feed.js';
import type { CatalogRow } from '../domain/catalog-object.js';
import { toCatalogObject, toDeletion } from './wire.js';

/** Most objects of one message. At some 300 bytes each they stay far below the bound of a message. */
const CHUNK_ROWS_MAX = 500;
/** About the most characters of one message, for objects with long lists and addresses. */
const CHUNK_CHARS_MAX = 500_000;
const ROW_CHARS = 200;
const LIST_ITEM_CHARS = 24;
/** Longest silence of a stream, and longest wait of a reader for a console-service that is just starting. */
const HEARTBEAT_MS = 2_000;
const FIRST_LOAD_MS_MAX = 10_000;

type Stream = ResponseStream<WatchResponse>;

/** Streams the catalog to one reader until it disconnects: a snapshot or the missing changes, then every change. */
export async function watchCatalog(feed: CatalogFeed, request: WatchRequest, stream: Stream): Promise<void> {
  if (feed.version === 0) await feed.waitForChange(0, FIRST_LOAD_MS_MAX, stream.closed);
  if (feed.version === 0) throw appError('unavailable', 'The catalog is not loaded yet.');
  const asked = Number(request.afterVersion);
  // Another replica may have sent the reader a change that this one has not read yet. If it cannot be read, which the log of
  // the poll shows, the reader gets the version in memory.
  if (asked > feed.version) await feed.refresh().catch(() => undefined);
  let sent = await sendFrom(feed, asked, stream);
  while (!stream.closed.aborted) {
    const hasChanged = await feed.waitForChange(sent, HEARTBEAT_MS, stream.closed);
    if (hasChanged) sent = await sendFrom(feed, sent, stream);
    else await send(stream, { $case: 'heartbeat', value: { version: BigInt(sent) } });
  }
}

/** Sends a reader the changes from a version up to the one in memory, and returns that version. */
async function sendFrom(feed: CatalogFeed, version: number, stream: Stream): Promise<number> {
  const changes = feed.since(version);
  if (changes === null || weigh(changes.rows) > CHUNK_CHARS_MAX) return sendSnapshot(feed.snapshot(), stream);
  if (changes.rows.length === 0) {
    await send(stream, { $case: 'heartbeat', value: { version: BigInt(changes.version) } });
  } else {
    await send(stream, { $case: 'changes', value: toChangeSet(changes) });
  }
  return changes.version;
}

async function sendSnapshot(snapshot: FeedChanges, stream: Stream): Promise<number> {
  await send(stream, { $case: 'snapshotStart', value: {} });
  for (const rows of chunks(snapshot.rows)) {
    if (stream.closed.aborted) return snapshot.version;
    await send(stream, { $case: 'changes', value: toChangeSet({ version: 0, rows }) });
  }
  await send(stream, { $case: 'snapshotEnd', value: { version: BigInt(snapshot.version) } });
  return snapshot.version;
}

function toChangeSet({ version, rows }: FeedChanges) {
  return {
    version: BigInt(version),
    upserts: rows.filter((row) => !row.isRemoved).map(toCatalogObject),
    deletions: rows.filter((row) => row.isRemoved).map(toDeletion),
  };
}

async function send(stream: Stream, event: NonNullable<WatchResponse['event']>): Promise<void> {
  if (stream.closed.aborted) return;
  if (!stream.write({ event })) await stream.drained();
}

function* chunks(rows: readonly CatalogRow[]): Generator<readonly CatalogRow[]> {
  let chunk: CatalogRow[] = [];
  let chars = 0;
  for (const row of rows) {
    chunk.push(row);
    chars += weigh([row]);
    if (chunk.length < CHUNK_ROWS_MAX && chars < CHUNK_CHARS_MAX) continue;
    yield chunk;
    chunk = [];
    chars = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Approximate size of objects in a message, in characters. */
function weigh(rows: readonly CatalogRow[]): number {
  let chars = 0;
  for (const row of rows) {
    chars += ROW_CHARS;
    for (const value of Object.values(row.fields)) {
      if (typeof value === 'string') chars += value.length;
      else if (Array.isArray(value)) chars += value.length * LIST_ITEM_CHARS;
    }
  }
  return chars;
}
