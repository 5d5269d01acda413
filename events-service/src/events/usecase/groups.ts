import { appError } from '@placard/service-kit';

/** What grouping needs: the work, and its bounds. */
export interface GroupsDeps<Item, Result> {
  /** Handles a group; the results stand in the order of the items, an Error in the place of an item that failed. */
  readonly work: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  /** Most items of one group. */
  readonly itemsMax: number;
  /** Most groups at work at the same time. */
  readonly groupsMax: number;
  /**
   * Rest between a group of several items and the next, milliseconds: under load groups grow by the items that arrive in
   * it. There is no rest after a single item, so an idle process adds no wait, and none while a full group waits.
   */
  readonly restMs: number;
  /** Most items that wait; more are refused. */
  readonly waitingMax: number;
  /** False: the store does not answer in time, so that an item would only wait. It is refused. */
  readonly isStoreInTime: () => boolean;
}

/** Gathers single items into groups. */
export interface Groups<Item, Result> {
  /** Resolves with the item's own result. Error `unavailable` when too many wait or the store is not in time. */
  add(item: Item): Promise<Result>;
  /** Items that wait for their group. */
  readonly waitingCount: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Items that arrive while the allowed number of groups is at work, or during a rest, form the next group. An idle process
 * adds no wait; under load a group grows with the items that arrive while the one before is being written.
 */
export function makeGroups<Item, Result>(options: GroupsDeps<Item, Result>): Groups<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let groupsAtWork = 0;

  const runNext = (): void => {
    if (groupsAtWork >= options.groupsMax || waiting.length === 0) return;
    groupsAtWork += 1;
    const group = waiting.splice(0, options.itemsMax);
    const end = (): void => {
      groupsAtWork -= 1;
      runNext();
    };
    void runGroup(group, options.work).finally(() => {
      const isRestDue = options.restMs > 0 && group.length > 1 && waiting.length < options.itemsMax;
      if (isRestDue) setTimeout(end, options.restMs);
      else end();
    });
  };

  return {
    get waitingCount() {
      return waiting.length;
    },
    add(item) {
      if (waiting.length >= options.waitingMax) {
        return Promise.reject(appError('unavailable', 'Too many events wait to be stored.'));
      }
      if (!options.isStoreInTime()) {
        return Promise.reject(appError('unavailable', 'The database does not answer in time.'));
      }
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // Items of the same turn of the event loop join the same group.
        setImmediate(runNext);
      });
    },
  };
}

async function runGroup<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  work: GroupsDeps<Item, Result>['work'],
): Promise<void> {
  try {
    const results = await work(group.map(({ item }) => item));
    group.forEach(({ resolve, reject }, place) => {
      const result = results[place];
      if (result === undefined) reject(new Error('the work of a group returned no result for an item'));
      else if (result instanceof Error) reject(result);
      else resolve(result);
    });
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    for (const { reject } of group) reject(failure);
  }
}
