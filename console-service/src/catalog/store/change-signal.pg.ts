import { messageOf, type Scope } from '@placard/service-kit';
import type { Pool, PoolClient } from '@placard/service-kit/postgres';
import type { ChangeSignal } from './catalog-store.js';

const CHANNEL = 'placard_catalog';
const RECONNECT_MS = 1_000;

/** Listens on a connection of its own until the scope closes. Opens a new connection when it breaks. */
export function openPgChangeSignal(scope: Scope, pool: Pool): ChangeSignal {
  const listeners = new Set<() => void>();
  const notify = (): void => listeners.forEach((listener) => listener());
  let current: PoolClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const disconnected = (client: PoolClient | undefined, reason: string): void => {
    if (client !== current || isClosed) return;
    current = undefined;
    client?.release(true);
    scope.log.warn({ reason }, 'catalog changes are polled until the listening connection is back');
    timer = setTimeout(() => void listen(), RECONNECT_MS);
  };
  const listen = async (): Promise<void> => {
    try {
      const client = await pool.connect();
      current = client;
      client.on('notification', notify);
      client.once('error', (error: Error) => disconnected(client, error.message));
      client.once('end', () => disconnected(client, 'connection ended'));
      await client.query(`LISTEN ${CHANNEL}`);
      if (isClosed) release();
      // Changes may have been missed before this connection listened.
      notify();
    } catch (error) {
      disconnected(current, messageOf(error));
    }
  };
  const release = (): void => {
    current?.release(true);
    current = undefined;
  };
  const first = listen();
  scope.onClose('catalog signal', async () => {
    isClosed = true;
    clearTimeout(timer);
    await first;
    release();
  });
  return { onChange: (listener) => void listeners.add(listener) };
}
