import { makeTestTimers, settle } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { makeSettlementTrigger } from './settlement-trigger.js';

const GAP_MS = 1_000;

describe('the trigger of the settlement', () => {
  const setUp = (send: () => Promise<void>) => {
    const timers = makeTestTimers();
    const counts = { jobs: 0, failures: 0 };
    const trigger = makeSettlementTrigger({
      send: () => {
        counts.jobs += 1;
        return send();
      },
      gapMs: GAP_MS,
      timers,
      onFailure: () => (counts.failures += 1),
    });
    return { timers, counts, trigger };
  };

  it('adds one job at a time, and one more for all calls meanwhile, a gap later', async () => {
    const { timers, counts, trigger } = setUp(() => Promise.resolve());
    for (let call = 0; call < 10; call += 1) trigger.trigger();
    expect(counts.jobs).to.equal(1);
    await timers.advance(GAP_MS - 1);
    expect(counts.jobs).to.equal(1);
    await timers.advance(1);
    expect(counts.jobs).to.equal(2);
    await timers.advance(10 * GAP_MS);
    expect(counts.jobs).to.equal(2);
  });

  it('goes on after the queue was away', async () => {
    const { timers, counts, trigger } = setUp(() => Promise.reject(new Error('down')));
    trigger.trigger();
    await settle();
    expect(counts.failures).to.equal(1);
    trigger.trigger();
    await timers.advance(GAP_MS);
    expect(counts.failures).to.equal(2);
  });
});
