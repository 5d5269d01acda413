import type { CallbackTarget } from '@placard/service-kit/callbacks';
import { newCallbacks, type GivenObject, type NewCallback } from '../domain/change/new-callbacks.js';
import type { Faults } from '../domain/faults.js';
import type { CatalogReads } from '../store/reads/catalog-reads.js';

/** Most hosts of new callbacks in one change, because each is looked up. */
const HOSTS_MAX = 100;
/** Hosts that are looked up at the same time. */
const TOGETHER = 4;

/**
 * Looks up the hosts of the callbacks that a change would save, and adds a fault for each that must not be called. An address that
 * its placement has already is not looked up, so a change of something else does not depend on its host. It runs before the
 * change, which holds a lock, since a look-up may take seconds. Error `unavailable`. Contract: docs/reward-callbacks.md#addresses.
 */
export type CheckCallbacks = (objects: readonly GivenObject[], faults: Faults) => Promise<void>;

/** What {@link makeCheckCallbacks} needs. */
export interface CheckCallbacksDeps {
  readonly reads: Pick<CatalogReads, 'readEver'>;
  readonly findTarget: (url: string) => Promise<CallbackTarget>;
}

/** Makes {@link CheckCallbacks}. */
export function makeCheckCallbacks({ reads, findTarget }: CheckCallbacksDeps): CheckCallbacks {
  return async (objects, faults) => {
    const given = objects.filter((object) => (object.given.get('reward') ?? null) !== null);
    if (given.length === 0) return;
    const known = (await reads.readEver(given)).filter(({ isRemoved }) => !isRemoved);
    const hosts = [...byHost(newCallbacks(given, known)).values()];
    if (hosts.length > HOSTS_MAX) {
      faults.add(
        '',
        `has callbacks at ${hosts.length} new hosts, and one change may have ${HOSTS_MAX}; split it`,
      );
      return;
    }
    for (let at = 0; at < hosts.length; at += TOGETHER) {
      const group = hosts.slice(at, at + TOGETHER);
      const targets = await Promise.all(group.map(([first]) => findTarget(first?.url ?? '')));
      for (const [index, target] of targets.entries()) {
        if (target.isAllowed) continue;
        for (const { path } of group[index] ?? []) faults.add(path, `is refused. ${target.reason}`);
      }
    }
  };
}

function byHost(callbacks: readonly NewCallback[]): ReadonlyMap<string, readonly NewCallback[]> {
  const hosts = new Map<string, NewCallback[]>();
  for (const callback of callbacks) {
    const { host } = new URL(callback.url);
    const known = hosts.get(host);
    if (known === undefined) hosts.set(host, [callback]);
    else known.push(callback);
  }
  return hosts;
}
