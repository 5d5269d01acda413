import type { Response } from 'express';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a client may take to read the last answer, in milliseconds. */
const LINGER_MS_MAX = 2_000;

const ending = new WeakSet<Duplex>();

/** Whether the last answer of a connection was given: what still comes is no request. */
export function isEnding(socket: Duplex): boolean {
  return ending.has(socket);
}

/**
 * Makes this answer the last of its connection. What the client still sends is thrown away for a moment: closing at once
 * could take the answer from it.
 */
export function endConnectionAfter(res: Response): void {
  res.setHeader('Connection', 'close');
  const socket: Socket | null = res.socket;
  // Node.js calls it when the answer is written; its own would not wait.
  if (socket !== null) socket.destroySoon = () => endConnection(socket);
}

/** Ends a connection after what was written; a client that does not close its side is not waited for. */
export function endConnection(socket: Duplex, text = ''): void {
  ending.add(socket);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS_MAX);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.end(text);
}
