import { get } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP balancer on loopback, like the one in front of a cluster's gateways. */
export interface Balancer {
  readonly port: number;
  /** Whether it sends new connections to all of its places. */
  usesAll(): boolean;
  close(): Promise<void>;
}

/** One process behind a balancer. */
export interface Place {
  readonly port: number;
  /** Probed repeatedly: a place that does not answer 200 gets no new connections. Null: it always gets connections. */
  readonly readyUrl: string | null;
}

const ASK_INTERVAL_MS = 100;
const ANSWER_MS_MAX = 1_000;

/**
 * Opens a balancer. Each new connection goes to the next ready place that accepts it, and stays there. When one side ends or
 * resets a connection, the balancer does the same on the other side.
 */
export async function openBalancer(places: readonly Place[]): Promise<Balancer> {
  const open = new Set<Socket>();
  const ready = new Set(places.filter(({ readyUrl }) => readyUrl === null));
  const asked = new Set<Place>();
  // One probe at a time for each place, so that an old answer never comes after a newer one.
  const askAll = async (): Promise<void> => {
    const free = places.filter((place) => !asked.has(place));
    for (const place of free) asked.add(place);
    await Promise.all(free.map((place) => askInto(ready, place).then(() => asked.delete(place))));
  };
  await askAll();
  const timer = setInterval(() => void askAll(), ASK_INTERVAL_MS);
  let turn = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    const all = [...ready];
    turn += 1;
    const order = all.map((_, index) => all[(turn + index) % all.length]!.port);
    keep(open, client);
    void pass(client, order, open);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    usesAll: () => ready.size === places.length,
    async close() {
      clearInterval(timer);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function askInto(ready: Set<Place>, place: Place): Promise<void> {
  if (place.readyUrl === null) return;
  const isReady = await ask(place.readyUrl);
  if (isReady === true) ready.add(place);
  else if (isReady === false) ready.delete(place);
}

/** Whether a place is ready; null when its answer is late and its state unknown. */
function ask(url: string): Promise<boolean | null> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: ANSWER_MS_MAX }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => {
      resolve(null);
      request.destroy();
    });
    request.on('error', () => resolve(false));
  });
}

function keep(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.once('close', () => open.delete(socket));
}

async function pass(client: Socket, ports: readonly number[], open: Set<Socket>): Promise<void> {
  client.on('error', () => undefined);
  for (const port of ports) {
    const server = await tryConnect(port);
    if (server === null) continue;
    keep(open, server);
    server.on('error', () => client.resetAndDestroy());
    client.on('error', () => server.destroy());
    client.once('close', () => server.destroy());
    client.pipe(server);
    server.pipe(client);
    return;
  }
  client.resetAndDestroy();
}

function tryConnect(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const fail = (): void => resolve(null);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
