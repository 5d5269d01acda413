import { connect } from 'node:net';

/** Enough time for the gateway to count a request and to wait for its body. */
const PAUSE_MS = 100;

/**
 * Sends raw text to a port, and `rest` a moment later. Returns the whole received text until the connection ends.
 * Each answer in it must have an id of its own.
 */
export function exchange(port: number, text: string, rest?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text);
      if (rest !== undefined) setTimeout(() => socket.write(rest), PAUSE_MS);
    });
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', () => {
      const ids = received.match(/^X-Request-Id: req_[0-9a-f]{32}\r$/gm) ?? [];
      if (new Set(ids).size === answerCount(received)) resolve(received);
      else reject(new Error(`each answer must have its own X-Request-Id: ${received}`));
    });
    socket.on('error', reject);
  });
}

/** Sends raw text to a port and returns the first received bytes. `hangUp` ends the connection. */
export function startExchange(
  port: number,
  text: string,
): Promise<{ readonly received: string; hangUp: () => void }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', (chunk) =>
      resolve({ received: chunk.toString('latin1'), hangUp: () => void socket.destroy() }),
    );
    socket.on('error', reject);
  });
}

/** The number of answers in a text. */
export function answerCount(received: string): number {
  return received.split(/HTTP\/1\.[01] \d{3} /).length - 1;
}
