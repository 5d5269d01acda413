import type { RedisClient } from './redis-connection.js';
import { servingAll, type Tracing } from '../tracing/tracing.js';

/** A script for several items in one run. */
export interface GatheredScript<Item, Answer> {
  /** Name of the span of a run for several requests. */
  readonly name: string;
  /** Most items of one run. It bounds the wait of other commands in Redis. */
  readonly itemsMax: number;
  /** The hash tag of an item's keys. On a cluster, only items of one tag share a run. */
  readonly tagOf: (item: Item) => string;
  /** Runs the script. The answers are in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  /** The trace of the item's request. Null: it is not traced. */
  readonly traceparent: string | null;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a function that executes one item. The items of one turn of the event loop share a run of the script, in their order.
 * A failed run rejects all of its items.
 */
export function gatherScript<Item, Answer>(
  redis: RedisClient,
  tracing: Tracing | null,
  script: GatheredScript<Item, Answer>,
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  const flush = (): void => {
    const gathered = waiting;
    waiting = [];
    const tagOf = redis.isCluster ? ({ item }: Waiting<Item, Answer>) => script.tagOf(item) : null;
    for (const group of groupsOf(gathered, script.itemsMax, tagOf)) {
      void servingAll(tracing, group, script.name, () => runGroup(script, group));
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ item, traceparent: tracing?.traceparent() ?? null, resolve, reject });
    });
}

/** Never rejects. A failure rejects the items. */
async function runGroup<Item, Answer>(
  script: GatheredScript<Item, Answer>,
  group: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await script.run(group.map(({ item }) => item));
    for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer);
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

/** The items of each run. Items of one tag keep their order. `tagOf` null: any items may share a run. */
function groupsOf<Item>(
  items: readonly Item[],
  itemsMax: number,
  tagOf: ((item: Item) => string) | null,
): readonly (readonly Item[])[] {
  if (tagOf === null && items.length <= itemsMax) return [items];
  const groups: Item[][] = [];
  const open = new Map<string, Item[]>();
  for (const item of items) {
    const tag = tagOf === null ? '' : tagOf(item);
    let group = open.get(tag);
    if (group === undefined || group.length === itemsMax) {
      group = [];
      open.set(tag, group);
      groups.push(group);
    }
    group.push(item);
  }
  return groups;
}
