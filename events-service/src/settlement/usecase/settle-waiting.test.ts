import { appError } from '@placard/service-kit';
import { asRequestId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import type { SettledGroup, SettlementGroup, WaitingKey } from '../store/settlement.js';
import { makeSettleWaiting } from './settle-waiting.js';

const keyOf = (n: number): WaitingKey => ({
  day: '2026-05-01',
  requestId: asRequestId(`req_${n}`),
  type: 'impression',
});
const numberOf = (key: WaitingKey | null): number => (key === null ? -1 : Number(key.requestId.slice(4)));

/** So many rows that wait, in their order; of some a group cannot be settled. */
function open(count: number, { bad = [] as readonly number[], groupsMax = 100, rowsMax = 8 } = {}) {
  let waiting = Array.from({ length: count }, (_, n) => n);
  const state = {
    failure: null as Error | null,
    groups: [] as [rowsMax: number, after: number][],
    settled: [] as number[],
    stuck: [] as [number, string][],
    isStopping: false,
  };
  const behind = (after: WaitingKey | null): number[] => waiting.filter((n) => n > numberOf(after));
  const settle = (group: SettlementGroup): Promise<SettledGroup> => {
    state.groups.push([group.rowsMax, numberOf(group.after)]);
    if (state.failure !== null) return Promise.reject(state.failure);
    const taken = behind(group.after).slice(0, group.rowsMax);
    if (taken.some((n) => bad.includes(n))) return Promise.reject(new Error('bad row'));
    waiting = waiting.filter((n) => !taken.includes(n));
    return Promise.resolve({ rows: taken.length, impressions: taken.length, bookedBefore: 0, lagMs: 0 });
  };
  const run = makeSettleWaiting({
    store: {
      settle,
      nextWaiting: (after) => Promise.resolve(behind(after).map(keyOf)[0] ?? null),
    },
    rowsMax,
    groupsMax,
    onSettled: ({ rows }) => state.settled.push(rows),
    onStuck: (key, reason) => state.stuck.push([numberOf(key), reason]),
    isStopping: () => state.isStopping,
  });
  return { state, run, left: () => waiting };
}

describe('a run of the settlement', () => {
  it('settles group after group until one is not full, and says nothing of an empty one', async () => {
    const { state, run, left } = open(19);
    await run();
    expect(state.settled).to.deep.equal([8, 8, 3]);
    expect(left()).to.deep.equal([]);
    await run();
    expect(state.settled).to.have.length(3);
    expect(state.groups).to.have.length(4);
  });

  it('rejects where Postgres is away, so that it is counted as failed and run again', async () => {
    const { state, run, left } = open(3);
    state.failure = appError('unavailable', 'down');
    const error: unknown = await run().catch((thrown: unknown) => thrown);
    expect(error).to.equal(state.failure);
    expect(state.groups).to.have.length(1);
    expect(state.stuck).to.deep.equal([]);
    state.failure = null;
    await run();
    expect(left()).to.deep.equal([]);
  });

  it('halves its groups around a row that cannot be settled, names it, and settles all others', async () => {
    const { state, run, left } = open(20, { bad: [5] });
    await run();
    expect(state.stuck).to.deep.equal([[5, 'bad row']]);
    expect(left()).to.deep.equal([5]);
    expect(state.groups.slice(0, 5)).to.deep.equal([
      [8, -1],
      [4, -1],
      [8, -1],
      [4, -1],
      [2, -1],
    ]);
  });

  it('ends where the last row cannot be settled', async () => {
    const { state, run, left } = open(2, { bad: [0, 1] });
    await run();
    expect(state.stuck.map(([n]) => n)).to.deep.equal([0, 1]);
    expect(left()).to.deep.equal([0, 1]);
  });

  it('ends after so many groups, and before the next one when the process stops', async () => {
    const { state, run } = open(100, { groupsMax: 3 });
    await run();
    expect(state.settled).to.deep.equal([8, 8, 8]);
    state.isStopping = true;
    await run();
    expect(state.groups).to.have.length(3);
  });
});
