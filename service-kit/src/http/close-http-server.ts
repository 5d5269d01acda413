import type { Server } from 'node:http';

const IDLE_SWEEP_MS = 50;

/** Closes an HTTP server. Running requests finish, within `limitMs` at most; idle connections are closed at once. */
export async function closeHttpServer(server: Server, limitMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}
