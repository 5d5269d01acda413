import type { Response } from 'express';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Longest time for a client to read the last answer, in milliseconds. */
const LINGER_MS_MAX = 2_000;

const ending = new WeakSet<Duplex>();

/** Whether the connection has had its last answer. Bytes that follow are not a request. */
export function isEnding(socket: Duplex): boolean {
  return ending.has(socket);
}

/**
 * Makes this answer the last of its connection. Bytes that the client still sends are discarded for a moment, because
 * closing at once could lose the answer.
 */
export function endConnectionAfter(res: Response): void {
  res.setHeader('Connection', 'close');
  const socket: Socket | null = res.socket;
  // Node.js calls it when the answer is written. Its own version would not wait.
  if (socket !== null) socket.destroySoon = () => endConnection(socket);
}

/** Ends a connection after the written bytes, without waiting for the client to close its side. */
export function endConnection(socket: Duplex, text = ''): void {
  ending.add(socket);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS_MAX);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.end(text);
}
