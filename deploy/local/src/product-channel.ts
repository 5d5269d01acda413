import type { Fleet } from './fleet.js';
import { messageOf } from './start-error.js';

/** What the owner of a running product asks of it, over the channel to the process. */
export interface ProductRequest {
  readonly id: number;
  /** `kill`: end at once and leave down; `stop`: end cleanly and leave down; `restart`: start again, wait for ready. */
  readonly action: 'kill' | 'stop' | 'restart';
  /** Name of a process, such as `serving-service`, `postgres`. */
  readonly name: string;
}

/** Where a running product is reached. */
export interface ProductAddresses {
  /** Of every gateway, the first one first. */
  readonly gatewayUrls: readonly string[];
  /** Of console-service's gRPC, for `PLACARD_ADDRESS`. */
  readonly consoleAddress: string;
  readonly redisUrl: string;
  /** By the service that owns the tables, as its own role. */
  readonly databaseUrls: Readonly<Record<string, string>>;
}

/** What the product tells its owner. */
export type ProductMessage =
  | {
      readonly kind: 'ready';
      readonly addresses: ProductAddresses;
      readonly pids: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'done';
      readonly id: number;
      /** Null when it was done. */
      readonly fault: string | null;
      readonly pids: Readonly<Record<string, number>>;
    };

/** Tells whoever started us that the product answers, and does what is asked from then on. Nothing without a channel. */
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
