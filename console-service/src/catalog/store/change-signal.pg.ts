import type { Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import type { Pool, PoolClient } from '@placard/service-kit/postgres';
import type { ChangeSignal } from './catalog-store.js';

const CHANNEL = 'placard_catalog';
/** Longest time until a broken connection is replaced, in milliseconds. */
const RECONNECT_MS = 1_000;

/** Listens on a connection of its own until the scope closes. Opens a new connection when it breaks. */
export function openPgChangeSignal(scope: Scope, pool: Pool): ChangeSignal {
  const listeners = new Set<() => void>();
  const notify = (): void => listeners.forEach((listener) => listener());
  let current: PoolClient | null = null;

  const release = (client: PoolClient | null): void => {
    if (client === null || client !== current) return;
    current = null;
    client.release(true);
  };
  const disconnected = (client: PoolClient, reason: string): void => {
    if (client !== current) return;
    release(client);
    scope.log.warn({ reason }, 'catalog changes are polled until the listening connection is back');
  };
  const listen = async (): Promise<void> => {
    if (current !== null) return;
    const client = await pool.connect();
    current = client;
    client.on('notification', notify);
    client.once('error', (error: Error) => disconnected(client, error.message));
    client.once('end', () => disconnected(client, 'connection ended'));
    try {
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      release(client);
      throw error;
    }
    // Changes may have been missed before this connection listened.
    notify();
  };
  scope.onClose('catalog signal', () => release(current));
  keepRunning(scope, {
    name: 'listening for catalog changes',
    intervalMs: RECONNECT_MS,
    run: listen,
    isRunAtStart: true,
  });
  return { onChange: (listener) => void listeners.add(listener) };
}
