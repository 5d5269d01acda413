import { appError } from '@placard/service-kit';
import { expect } from 'chai';
import type { CountStore } from '../../reports/store/counts.js';
import { REJECTION_KINDS_MAX } from '../domain/rejection-counts.js';
import { makeRejectionCounter } from './count-rejections.js';

type Stored = Parameters<CountStore['addRejections']>;

function open() {
  const state = { isUp: true, stored: [] as Stored[], droppedCount: 0 };
  const counter = makeRejectionCounter({
    reporterId: 'here',
    store: {
      addRejections: (...given) => {
        state.stored.push(given);
        return state.isUp ? Promise.resolve(true) : Promise.reject(appError('unavailable', 'down'));
      },
    },
    onDropped: () => (state.droppedCount += 1),
  });
  return { state, counter };
}

describe('rejections on their way to the reports', () => {
  it('are stored under a number of their own with each flush, and not at all where there are none', async () => {
    const { state, counter } = open();
    await counter.flush();
    counter.add('duplicate', null, 0);
    counter.add('duplicate', null, 0);
    await counter.flush();
    await counter.flush();
    counter.add('expired_token', null, 0);
    await counter.flush();
    expect(
      state.stored.map(([{ reporterId }, rows]) => [
        reporterId,
        rows.map((row) => [row.reason, row.rejections]),
      ]),
    ).to.deep.equal([
      ['here', [['duplicate', 2]]],
      ['here', [['expired_token', 1]]],
    ]);
    const [first, second] = state.stored.map(([{ sequence }]) => sequence);
    expect(second! > first!).to.equal(true);
  });

  it('are sent again as they were, under the same number, when a flush failed, before newer ones', async () => {
    const { state, counter } = open();
    counter.add('duplicate', null, 0);
    state.isUp = false;
    expect(await counter.flush().catch(() => 'failed')).to.equal('failed');
    counter.add('duplicate', null, 0);
    state.isUp = true;
    await counter.flush();
    expect(state.stored[1]).to.deep.equal(state.stored[0]);
    await counter.flush();
    expect(state.stored).to.have.length(3);
    expect(state.stored[2]![0].sequence > state.stored[1]![0].sequence).to.equal(true);
  });

  it('are counted as dropped when too many kinds of them wait', () => {
    const { state, counter } = open();
    for (let hour = 0; hour < REJECTION_KINDS_MAX; hour += 1)
      counter.add('duplicate', null, hour * 3_600_000);
    expect(state.droppedCount).to.equal(0);
    counter.add('expired_token', null, 0);
    expect(state.droppedCount).to.equal(1);
  });
});
