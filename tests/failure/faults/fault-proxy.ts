import { systemRandom, type Random } from '@placard/service-kit/pure';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A fault of a proxy. `latency` delays each chunk in both directions. */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'latency'; readonly delayMs: number }
  /** Drops all bytes. Connections stay open and new ones are accepted. */
  | { readonly kind: 'blackhole' }
  /** Resets open and new connections. */
  | { readonly kind: 'reset' }
  /** Each chunk from a client resets its connection with this probability, instead of reaching the server. */
  | { readonly kind: 'losses'; readonly share: number };

/** A TCP proxy on loopback with switchable faults. */
export interface FaultProxy {
  /** `127.0.0.1:<port>`, which the client uses instead of the server's address. */
  readonly address: string;
  readonly port: number;
  /** Sets the fault of open and new connections. When a blackhole heals, connections that lost bytes are reset. */
  set(fault: Fault): void;
  /** Leads new connections to this port of the same host. Open ones stay. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** Opens a proxy in front of `target`; without a fault, bytes pass unchanged. `random` chooses what is lost. */
export async function openFaultProxy(
  target: { readonly host: string; readonly port: number },
  random: Random = systemRandom,
): Promise<FaultProxy> {
  let fault: Fault = { kind: 'none' };
  let targetPort = target.port;
  const pairs = new Set<Pair>();
  const server: Server = createServer((client) => {
    if (fault.kind === 'reset') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const isLost = (): boolean => fault.kind === 'losses' && random.next() < fault.share;
    const pair = new Pair({ client, upstream: connect(targetPort, target.host) }, () => fault, isLost);
    pairs.add(pair);
    pair.onEnd(() => pairs.delete(pair));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    port,
    set(next) {
      const isHealed = fault.kind === 'blackhole' && next.kind !== 'blackhole';
      fault = next;
      for (const pair of [...pairs]) {
        if (next.kind === 'reset' || (isHealed && pair.hasLostBytes)) pair.reset();
      }
    },
    leadTo(next) {
      targetPort = next;
    },
    async close() {
      for (const pair of [...pairs]) pair.reset();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The two sockets of one proxied connection. */
class Pair {
  hasLostBytes = false;

  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #fault: () => Fault;

  /** `isLost`: whether the next chunk of the client is lost. */
  constructor(
    { client, upstream }: { readonly client: Socket; readonly upstream: Socket },
    fault: () => Fault,
    isLost: () => boolean,
  ) {
    this.#client = client;
    this.#upstream = upstream;
    this.#fault = fault;
    this.#pipe(client, upstream, isLost);
    this.#pipe(upstream, client, () => false);
  }

  onEnd(listener: () => void): void {
    this.#client.once('close', listener);
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#upstream.resetAndDestroy();
  }

  #pipe(from: Socket, to: Socket, isLost: () => boolean): void {
    from.setNoDelay(true);
    const lane = new Lane(to);
    from.on('data', (chunk: Buffer) => {
      const fault = this.#fault();
      if (isLost()) this.reset();
      else if (fault.kind === 'blackhole') this.hasLostBytes = true;
      else lane.pass(chunk, fault.kind === 'latency' ? fault.delayMs : 0);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}

/** One direction of a connection. Bytes keep their order, also when latency ends or shrinks. */
class Lane {
  readonly #to: Socket;
  readonly #underWay: { readonly chunk: Buffer; readonly dueAt: number }[] = [];

  constructor(to: Socket) {
    this.#to = to;
  }

  pass(chunk: Buffer, delayMs: number): void {
    if (delayMs === 0 && this.#underWay.length === 0) {
      this.#write(chunk);
      return;
    }
    this.#underWay.push({ chunk, dueAt: performance.now() + delayMs });
    if (this.#underWay.length === 1) this.#waitForFirst();
  }

  #waitForFirst(): void {
    const [first] = this.#underWay;
    if (first === undefined) return;
    setTimeout(
      () => {
        this.#underWay.shift();
        this.#write(first.chunk);
        this.#waitForFirst();
      },
      Math.max(0, first.dueAt - performance.now()),
    );
  }

  #write(chunk: Buffer): void {
    if (!this.#to.destroyed) this.#to.write(chunk);
  }
}
