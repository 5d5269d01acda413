import { expect } from 'chai';
import { MemoryChanges } from '../../../test/support/memory-changes.js';
import type { CatalogRow } from '../domain/catalog-object.js';
import { CatalogFeed, CHANGED_ROWS_MAX } from './catalog-feed.js';

function row(id: string, version: number, isRemoved = false): CatalogRow {
  return { kind: 'publisher', id, parentId: null, fields: {}, version, isRemoved, fundedNanos: 0n };
}

describe('the catalog feed', () => {
  const idsOf = (changes: { readonly rows: readonly CatalogRow[] } | null) =>
    changes?.rows.map(({ id }) => id).sort();

  it('reads only the changes', async () => {
    const store = new MemoryChanges();
    const feed = new CatalogFeed(store);
    store.set(1, row('a', 1), row('b', 1));
    await feed.refresh();
    store.set(2, row('b', 2));
    await feed.refresh();
    await feed.refresh();
    expect(store.reads).to.deep.equal([0, 1]);
    expect(idsOf(feed.since(1))).to.deep.equal(['b']);
    expect(idsOf(feed.since(2))).to.deep.equal([]);
    expect(idsOf(feed.snapshot())).to.deep.equal(['a', 'b']);
  });

  it('sends each of two changes that it read together only to readers that lack it', async () => {
    const store = new MemoryChanges();
    const feed = new CatalogFeed(store);
    store.set(1, row('a', 1));
    await feed.refresh();
    store.set(3, row('b', 2), row('c', 3));
    await feed.refresh();
    expect(idsOf(feed.since(2))).to.deep.equal(['c']);
    expect(idsOf(feed.since(1))).to.deep.equal(['b', 'c']);
  });

  it('sends removals, also those from before its start, and leaves them out of snapshots', async () => {
    const store = new MemoryChanges();
    const feed = new CatalogFeed(store);
    store.set(5, row('a', 1), row('b', 4, true));
    await feed.refresh();
    expect(idsOf(feed.since(3))).to.deep.equal(['b']);
    expect(idsOf(feed.snapshot())).to.deep.equal(['a']);
  });

  it('drops everything that it holds after a restore of the database', async () => {
    const store = new MemoryChanges();
    const feed = new CatalogFeed(store);
    store.set(9, row('a', 1), row('b', 9));
    await feed.refresh();
    store.restore(4, row('a', 1));
    await feed.refresh();
    expect(feed.version).to.equal(4);
    expect(feed.since(9)).to.equal(null);
    expect(idsOf(feed.snapshot())).to.deep.equal(['a']);
  });

  it('asks for a snapshot when too many objects have changed', async () => {
    const store = new MemoryChanges();
    const feed = new CatalogFeed(store);
    store.set(1, row('a', 1));
    await feed.refresh();
    store.set(2, ...Array.from({ length: CHANGED_ROWS_MAX + 1 }, (_, index) => row(`p${index}`, 2)));
    await feed.refresh();
    expect(feed.since(1)).to.equal(null);
    store.set(3, row('z', 3));
    await feed.refresh();
    expect(idsOf(feed.since(2))).to.deep.equal(['z']);
  });

  it('keeps its content while the store is away, and reads changes afterwards', async () => {
    const store = new MemoryChanges();
    const feed = new CatalogFeed(store);
    store.set(1, row('a', 1));
    await feed.refresh();
    store.isDown = true;
    const failure = await feed.refresh().catch((error: unknown) => (error as Error).message);
    expect(failure).to.equal('down');
    expect(idsOf(feed.snapshot())).to.deep.equal(['a']);
    store.isDown = false;
    store.set(2, row('b', 2));
    await feed.refresh();
    expect(idsOf(feed.snapshot())).to.deep.equal(['a', 'b']);
  });

  it('answers a waiting reader at a change, and drops a reader that no longer waits', async () => {
    const store = new MemoryChanges();
    const feed = new CatalogFeed(store);
    const gone = new AbortController();
    const woken = feed.waitForChange(0, 10_000, new AbortController().signal);
    const left = feed.waitForChange(0, 10_000, gone.signal);
    gone.abort();
    expect(await left).to.equal(false);
    store.set(1, row('a', 1));
    await feed.refresh();
    expect(await woken).to.equal(true);
    expect(await feed.waitForChange(1, 0, new AbortController().signal)).to.equal(false);
  });
});
