import { InterceptingCall, type Interceptor, type Metadata } from '@grpc/grpc-js';
import { hash, timingSafeEqual } from 'node:crypto';
import { appError, type AppError } from '../../process/errors.js';
import { isOnWritePort } from '../call-table.js';

/** Settings with a key that callers of certain methods must send when there are no certificates. */
export type CallKeyName = 'CATALOG_READ_KEY' | 'LEDGER_WRITE_KEY';

/** The keys that a server wants. A key that is undefined is not wanted. */
export type CallKeys = Readonly<Partial<Record<CallKeyName, string | undefined>>>;

const WATCH = '/placard.catalog.v1.CatalogService/Watch';
/** The metadata that carries a key. */
const METADATA = 'x-placard-key';

/** Adds a key to every call of a client, streams included. */
export function sendKey(key: string): Interceptor {
  return (options, nextCall) =>
    new InterceptingCall(nextCall(options), {
      start: (metadata, listener, next) => {
        metadata.set(METADATA, key);
        next(metadata, listener);
      },
    });
}

/** Judges a call by the key that it carries. Null: the method needs no key of this server, or the key is right. */
export function keyRefusal(keys: CallKeys, path: string, metadata: Metadata): AppError | null {
  const name = keyNameOf(path);
  const wanted = name === null ? undefined : keys[name];
  if (name === null || wanted === undefined) return null;
  const [sent] = metadata.get(METADATA);
  if (typeof sent === 'string' && isSame(sent, wanted)) return null;
  return appError(
    'permission_denied',
    `${path} needs the key of the server. Set ${name} to the value that the server has.`,
  );
}

/** The key of a method. Null: it has none. */
function keyNameOf(path: string): CallKeyName | null {
  if (isOnWritePort(path)) return 'LEDGER_WRITE_KEY';
  return path === WATCH ? 'CATALOG_READ_KEY' : null;
}

/** Takes a time that does not depend on the keys. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
