import type { Fleet } from './fleet.js';
import { messageOf } from './start-error.js';

/** A request of the owner of a running product, over the channel to the process. */
export interface ProductRequest {
  readonly id: number;
  /** `kill`: end it at once; `stop`: end it cleanly; `restart`: start it and wait until it is ready. */
  readonly action: 'kill' | 'stop' | 'restart';
  /** Name of a process, such as `serving-service`, `postgres`. */
  readonly name: string;
}

/** Addresses of a running product. */
export interface ProductAddresses {
  /** URLs of all gateways, in their order. */
  readonly gatewayUrls: readonly string[];
  /** `host:port` of the management API, for `PLACARD_ADDRESS`. */
  readonly consoleAddress: string;
  readonly redisUrl: string;
  /** Database URLs by the service that owns the tables, with its role. */
  readonly databaseUrls: Readonly<Record<string, string>>;
}

/** A message of the product to its owner. */
export type ProductMessage =
  | {
      readonly kind: 'ready';
      readonly addresses: ProductAddresses;
      readonly pids: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'done';
      readonly id: number;
      /** Null when the request succeeded. */
      readonly fault: string | null;
      readonly pids: Readonly<Record<string, number>>;
    };

/** Sends `ready` to the parent process and serves its requests from then on. Does nothing without a channel. */
export function serveController(fleet: Fleet, addresses: ProductAddresses): void {
  if (process.send === undefined) return;
  const tell = (message: ProductMessage): void => void process.send?.(message, () => undefined);
  process.on('message', (message: unknown) => {
    const request = message as ProductRequest;
    void perform(fleet, request).then((fault) =>
      tell({ kind: 'done', id: request.id, fault, pids: fleet.pids() }),
    );
  });
  tell({ kind: 'ready', addresses, pids: fleet.pids() });
}

async function perform(fleet: Fleet, { action, name }: ProductRequest): Promise<string | null> {
  const managed = fleet.find(name);
  if (managed === undefined) return `there is no process ${name}`;
  try {
    if (action === 'kill') await managed.kill();
    else if (action === 'stop') await managed.stop();
    else await fleet.restart(name);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
