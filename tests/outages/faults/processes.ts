import { setTimeout as sleep } from 'node:timers/promises';
import { portsOf } from '../../driver/ports.js';
import type { Outage, Stage } from '../outage.js';
import { startSecondSessionService } from '../second-session-service.js';
import { catalogOf } from '../stage.js';

const gone = (name: string, scrapes: number): Outage => ({
  name: `${name}-gone`,
  what: `The only ${name} is killed and does not come back.`,
  async happen(stage) {
    await stage.product.kill(name);
    await stage.passes(scrapes);
  },
  async mend(stage) {
    await stage.product.restart(name);
    await stage.passes(5);
  },
});

/** A stop of half a second in each second, which another program that takes the core does too. */
const [STOP_MS, RUN_MS] = [500, 300];

/** Outages of Placard's processes. */
export const PROCESS_OUTAGES: readonly Outage[] = [
  gone('events-service', 12),
  gone('fraud-service', 12),
  gone('console-service', 12),
  gone('settlement-worker', 12),
  {
    name: 'crash-loop',
    what: 'serving-service is killed seven times, each time with slices of budgets in its hand.',
    async happen(stage) {
      for (let crash = 0; crash < 7; crash += 1) {
        await stage.relaunch('serving-service');
        await stage.passes(2);
      }
      // Slices count as stranded when their replica was not seen for 30 seconds; held money is read every 10 seconds.
      await stage.passes(35);
    },
    mend: () => Promise.resolve(),
  },
  {
    name: 'gateway-starved',
    what: 'The gateway stands still for half of the time.',
    async happen(stage) {
      const pid = stage.product.pids['gateway'] ?? 0;
      const over = new AbortController();
      const starving = (async () => {
        while (!over.signal.aborted) {
          process.kill(pid, 'SIGSTOP');
          await sleep(STOP_MS);
          process.kill(pid, 'SIGCONT');
          await sleep(RUN_MS);
        }
      })();
      await stage.passes(12);
      over.abort();
      await starving;
    },
    mend: (stage) => stage.passes(3),
  },
  {
    name: 'reader-behind',
    what: 'serving-service starts from its old catalog while console-service, which has a newer one, is frozen.',
    async happen(stage) {
      await stage.product.kill('serving-service');
      const renamed = { ...stage.quietApp, name: 'Renamed' };
      const fault = await stage.placard(['catalog', 'apply'], { file: catalogOf([renamed]) });
      if (fault !== null) throw new Error(fault);
      await stage.passes(3);
      await stage.product.kill('console-service');
      await stage.product.restart('serving-service');
      await stage.passes(8);
    },
    async mend(stage) {
      await stage.product.restart('console-service');
      await stage.passes(5);
    },
  },
];

/** An outage that a second session-service is, with a key of its own and console-service at some address. */
const withSecondSessionService = (
  { name, what }: Pick<Outage, 'name' | 'what'>,
  consoleAddress: (stage: Stage) => string | Promise<string>,
): Outage => ({
  name,
  what,
  async happen(stage) {
    const second = await startSecondSessionService(await consoleAddress(stage));
    try {
      stage.watch(second.target);
      await stage.passes(8);
    } finally {
      second.kill();
    }
  },
  mend: () => Promise.resolve(),
});

/** Outages of a replica that is unlike the others. */
export const REPLICA_OUTAGES: readonly Outage[] = [
  // A rotation of the keys has not reached it.
  withSecondSessionService(
    {
      name: 'keys-differ',
      what: 'A second session-service seals with a key that the others do not have.',
    },
    async ({ product }) => `127.0.0.1:${(await portsOf(product.dataDir))['console-service.grpc']}`,
  ),
  // The name need not exist: the process says that TLS is missing before it calls.
  withSecondSessionService(
    {
      name: 'tls-missing',
      what: 'A second session-service calls console-service at another host without TLS.',
    },
    () => 'console-service.invalid:50055',
  ),
];

/** The end of the product. It must be the last. */
export const EVERYTHING_GONE: Outage = {
  name: 'everything-gone',
  what: 'Every process has ended.',
  async happen(stage) {
    await stage.product.stop();
    await stage.passes(8);
  },
  mend: () => Promise.resolve(),
};
