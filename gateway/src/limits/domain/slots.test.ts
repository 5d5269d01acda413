import { expect } from 'chai';
import { makeSlots } from './slots.js';

describe('slots', () => {
  it('are limited for each key and for all keys together', () => {
    const slots = makeSlots({ perKey: 2, all: 3 });
    const first = slots.take('a');
    expect([first, slots.take('a'), slots.take('b')]).not.to.include(null);
    expect([slots.take('a'), slots.take('c')]).to.deep.equal([null, null]);
    first?.();
    expect(slots.take('a')).not.to.equal(null);
  });

  it('that are given back one by one free one place each', () => {
    const slots = makeSlots({ perKey: 2, all: 0 });
    const first = slots.take('a');
    slots.take('a');
    first?.();
    expect(slots.take('a')).not.to.equal(null);
    expect(slots.take('a')).to.equal(null);
  });

  it('are given back once, however often giveBack is called', () => {
    const slots = makeSlots({ perKey: 1, all: 0 });
    const giveBack = slots.take('a');
    giveBack?.();
    expect(slots.take('a')).not.to.equal(null);
    giveBack?.();
    expect(slots.take('a')).to.equal(null);
  });

  it('are unlimited when the limit is 0', () => {
    const slots = makeSlots({ perKey: 0, all: 0 });
    for (let i = 0; i < 1_000; i += 1) expect(slots.take('a')).not.to.equal(null);
  });
});
