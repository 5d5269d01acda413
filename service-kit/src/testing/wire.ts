import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to a server on this machine that the test can cut or freeze. */
export interface Wire {
  /** The port that clients connect to. */
  readonly port: number;
  /** Breaks all connections. New ones are possible. */
  cut(): void;
  /** Passes on no more bytes, like a stopped server. Connections are still accepted. */
  freeze(): void;
  /** Undoes {@link freeze}. No byte is lost. */
  thaw(): void;
  close(): Promise<void>;
}

/** Opens a {@link Wire} to a port of 127.0.0.1. */
export async function openWire(to: number): Promise<Wire> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  const join = ([near, far]: readonly [Socket, Socket]): void => void near.pipe(far).pipe(near);
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
    if (!isFrozen) join(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze() {
      isFrozen = true;
      for (const pair of pairs) for (const socket of pair) socket.unpipe().pause();
    },
    thaw() {
      isFrozen = false;
      pairs.forEach(join);
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      await closed;
    },
  };
}
