import type { AppError } from '@placard/service-kit';
import { expect } from 'chai';
import { makeGroups, type GroupsDeps } from './groups.js';

interface Running {
  readonly items: readonly number[];
  readonly finish: (results: readonly (string | Error)[]) => void;
  readonly fail: (error: Error) => void;
}

type Bounds = Omit<GroupsDeps<number, string>, 'work'>;

function makeBench(options: Partial<Bounds> = {}) {
  const running: Running[] = [];
  const groups = makeGroups<number, string>({
    itemsMax: 100,
    groupsMax: 1,
    restMs: 0,
    waitingMax: 100,
    isStoreInTime: () => true,
    ...options,
    work: (items) => new Promise((finish, fail) => running.push({ items, finish, fail })),
  });
  return { groups, running, turn: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))) };
}

describe('groups', () => {
  it('gathers the items of one turn; items that arrive while a group is at work form the next group', async () => {
    const { groups, running, turn } = makeBench();
    const first = [groups.add(1), groups.add(2)];
    await turn();
    const second = [groups.add(3), groups.add(4), groups.add(5)];
    await turn();
    expect(running.map(({ items }) => items)).to.deep.equal([[1, 2]]);
    running[0]?.finish(['a', 'b']);
    expect(await Promise.all(first)).to.deep.equal(['a', 'b']);
    await turn();
    expect(running[1]?.items).to.deep.equal([3, 4, 5]);
    running[1]?.finish(['c', 'd', 'e']);
    expect(await Promise.all(second)).to.deep.equal(['c', 'd', 'e']);
  });

  it('refuses items while the store does not answer in time, and works on those that it has', async () => {
    let isStoreInTime = true;
    const { groups, running, turn } = makeBench({ isStoreInTime: () => isStoreInTime });
    const taken = groups.add(1);
    isStoreInTime = false;
    const refused = await groups.add(2).catch((error: unknown) => (error as AppError).code);
    expect(refused).to.equal('unavailable');
    await turn();
    running[0]?.finish(['a']);
    expect(await taken).to.equal('a');
    expect(running).to.have.length(1);
    isStoreInTime = true;
    const next = groups.add(3);
    await turn();
    running[1]?.finish(['c']);
    expect(await next).to.equal('c');
  });

  it('bounds the items of a group and the groups at work', async () => {
    const { groups, running, turn } = makeBench({ groupsMax: 2, itemsMax: 2 });
    const all = [1, 2, 3, 4, 5].map((item) => groups.add(item));
    await turn();
    expect(running.map(({ items }) => items)).to.deep.equal([
      [1, 2],
      [3, 4],
    ]);
    running[0]?.finish(['1', '2']);
    await turn();
    expect(running[2]?.items).to.deep.equal([5]);
    running[1]?.finish(['3', '4']);
    running[2]?.finish(['5']);
    expect(await Promise.all(all)).to.deep.equal(['1', '2', '3', '4', '5']);
  });

  it('rests after a group of several items; a single item or a full group is followed at once', async () => {
    const { groups, running, turn } = makeBench({ restMs: 20, itemsMax: 3 });
    const first = [groups.add(1), groups.add(2)];
    await turn();
    const second = [groups.add(3)];
    running[0]?.finish(['1', '2']);
    await Promise.all(first);
    await turn();
    expect(running).to.have.length(1);
    second.push(groups.add(4));
    await new Promise((resolve) => setTimeout(resolve, 25));
    expect(running[1]?.items).to.deep.equal([3, 4]);
    const full = [5, 6, 7, 8].map((item) => groups.add(item));
    running[1]?.finish(['3', '4']);
    await Promise.all(second);
    await turn();
    expect(running[2]?.items).to.deep.equal([5, 6, 7]);
    running[2]?.finish(['5', '6', '7']);
    await new Promise((resolve) => setTimeout(resolve, 25));
    running[3]?.finish(['8']);
    await Promise.all(full);
    void groups.add(9);
    await turn();
    expect(running[4]?.items).to.deep.equal([9]);
  });

  it('rejects a failed item alone and a failed group as a whole, and runs the next group', async () => {
    const { groups, running, turn } = makeBench();
    const outcome = (work: Promise<string>) => work.catch((error: unknown) => (error as Error).message);
    const mixed = [groups.add(1), groups.add(2)].map(outcome);
    await turn();
    const lost = [groups.add(3), groups.add(4)].map(outcome);
    running[0]?.finish([new Error('bad'), 'good']);
    expect(await Promise.all(mixed)).to.deep.equal(['bad', 'good']);
    await turn();
    const last = groups.add(5);
    running[1]?.fail(new Error('down'));
    expect(await Promise.all(lost)).to.deep.equal(['down', 'down']);
    await turn();
    running[2]?.finish(['fine']);
    expect(await last).to.equal('fine');
  });

  it('refuses items beyond the bound of waiting items', async () => {
    const { groups } = makeBench({ waitingMax: 2 });
    void groups.add(1);
    void groups.add(2);
    const refused = await groups.add(3).catch((error: unknown) => error);
    expect((refused as AppError).code).to.equal('unavailable');
  });
});
