import { ConsoleServiceService } from '@placard/protos/console/v1/console.js';
import { Closers, Health, makeLogger, makeOnce, systemTimers, type Scope } from '@placard/service-kit';
import { openGrpcClient, type RpcClient } from '@placard/service-kit/grpc';
import { CATALOG_APPLY_MS_MAX, systemClock, systemRandom } from '@placard/service-kit/pure';
import type { Command } from 'commander';
import { Registry } from 'prom-client';
import { CATALOG_MESSAGE_BYTES_MAX } from '../catalog/domain/catalog-bytes.js';
import { findInstance } from './instance.js';

/** Input and output of a command. */
export interface CommandIo {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** The client of a running instance. */
export type ConsoleClient = RpcClient<ConsoleServiceService>;

/** The data folder that is named anywhere on the command line. */
export function dataDirOf(command: Command): string | undefined {
  return command.optsWithGlobals<{ readonly data?: string }>().data;
}

/** Finds the running instance, connects, runs `work` and disconnects. */
export async function withInstance<T>(
  options: { readonly io: CommandIo; readonly dataDir: string | undefined },
  work: (client: ConsoleClient) => Promise<T>,
): Promise<T> {
  const address = findInstance(options.io.env, options.dataDir);
  const closers = new Closers();
  const log = makeLogger('placard', 'silent');
  const scope: Scope = {
    name: 'placard',
    log,
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    metrics: new Registry(),
    health: new Health(),
    tracing: null,
    stopping: new AbortController().signal,
    onClose: (name, close) => closers.push(name, close),
    once: makeOnce(() => scope),
  };
  try {
    const client = openGrpcClient(scope, ConsoleServiceService, {
      address,
      name: `the instance at ${address}`,
      budgetMs: CATALOG_APPLY_MS_MAX,
      messageBytesMax: CATALOG_MESSAGE_BYTES_MAX,
    });
    return await work(client);
  } finally {
    await closers.closeAll(log);
  }
}
