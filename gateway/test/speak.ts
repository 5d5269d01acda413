import { connect } from 'node:net';

/** Long enough for a request to be counted and its body to be waited for. */
const PAUSE_MS = 100;

/** Speaks raw text to a port, the rest of it a moment later, and answers all that comes back until the connection ends. */
export function speak(port: number, text: string, rest?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text);
      if (rest !== undefined) setTimeout(() => socket.write(rest), PAUSE_MS);
    });
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
    socket.on('close', () => resolve(heard));
    socket.on('error', reject);
  });
}

/** What comes back first; the connection is left as it is, and ended by `hangUp`. */
export function begin(port: number, text: string): Promise<{ readonly heard: string; hangUp: () => void }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', (chunk) =>
      resolve({ heard: chunk.toString('latin1'), hangUp: () => void socket.destroy() }),
    );
    socket.on('error', reject);
  });
}

/** How many answers a text holds. */
export function answerCount(heard: string): number {
  return heard.split(/HTTP\/1\.[01] \d{3} /).length - 1;
}
