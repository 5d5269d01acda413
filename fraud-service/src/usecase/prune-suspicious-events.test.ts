import { makeTestClock } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { START_MS } from '../../test/traffic.js';
import type { LogBounds } from '../store/suspicious-events.js';
import { makePruneSuspiciousEvents } from './prune-suspicious-events.js';

const DAY_MS = 86_400_000;

function makeLog(surplusCount: number) {
  const calls: LogBounds[] = [];
  let leftCount = surplusCount;
  return {
    calls,
    add: () => Promise.resolve(0),
    prune: (bounds: LogBounds, deleteMax: number): Promise<number> => {
      calls.push(bounds);
      const count = Math.min(leftCount, deleteMax);
      leftCount -= count;
      return Promise.resolve(count);
    },
  };
}

describe('pruning the suspicious-event log', () => {
  it('removes entries over the retention in several short statements', async () => {
    const log = makeLog(12_345);
    const prune = makePruneSuspiciousEvents(log, { days: 90, countMax: 7 }, makeTestClock(START_MS));
    expect(await prune()).to.equal(12_345);
    expect(log.calls).to.have.length(4);
    expect(log.calls[0]).to.deep.equal({
      beforeMs: START_MS - 90 * DAY_MS,
      sessionsBeforeMs: START_MS - 3 * 3_600_000,
      countMax: 7,
    });
  });

  it('leaves entries to the next round when there are very many', async () => {
    const log = makeLog(Number.POSITIVE_INFINITY);
    const prune = makePruneSuspiciousEvents(log, { days: 1, countMax: 1 }, makeTestClock(START_MS));
    await prune();
    expect(log.calls).to.have.length(200);
  });
});
