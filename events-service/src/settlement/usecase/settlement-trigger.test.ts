import { expect } from 'chai';
import { Calls } from '../../../test/calls.js';
import { makeSettlementTrigger } from './settlement-trigger.js';

describe('the trigger of the settlement', () => {
  it('adds one job at a time, and one job for all calls meanwhile', async () => {
    const calls = new Calls<number>();
    const trigger = makeSettlementTrigger({
      send: () => {
        calls.note(1);
        return Promise.resolve();
      },
      gapMs: 1,
      onFailure: () => undefined,
    });
    for (let call = 0; call < 10; call += 1) trigger.trigger();
    expect(calls.made).to.have.length(1);
    await calls.until(2);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(calls.made).to.have.length(2);
  });

  it('goes on after the queue was away', async () => {
    const failures = new Calls<number>();
    const trigger = makeSettlementTrigger({
      send: () => Promise.reject(new Error('down')),
      gapMs: 1,
      onFailure: () => failures.note(1),
    });
    trigger.trigger();
    await failures.until(1);
    trigger.trigger();
    await failures.until(2);
  });
});
