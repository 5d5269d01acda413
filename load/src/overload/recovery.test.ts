import { expect } from 'chai';
import { Slots, sumSlots, type Slot } from '../generator/slots.js';
import { recoveredMs } from './recovery.js';

const slot = (accepted: number, quick = accepted): Slot => ({ ended: 100, accepted, quick });
const times = (count: number, one: Slot): readonly Slot[] => Array.from({ length: count }, () => one);

describe('the recovery after an overload', () => {
  it('takes no time when nearly all calls of the first second are accepted and quick', () => {
    expect(recoveredMs(times(10, slot(95)))).to.equal(0);
  });

  it('takes until the calls of a whole second are accepted', () => {
    expect(recoveredMs([...times(3, slot(40)), ...times(20, slot(100))])).to.equal(300);
    expect(recoveredMs([...times(9, slot(100)), slot(10), ...times(10, slot(100))])).to.equal(1_000);
  });

  it('takes until the accepted calls are quick again', () => {
    expect(recoveredMs([...times(4, slot(100, 50)), ...times(12, slot(100, 99))])).to.equal(400);
  });

  it('is not seen in less than a second, nor without calls', () => {
    expect(recoveredMs(times(9, slot(100)))).to.equal(null);
    expect(recoveredMs(times(20, slot(90)))).to.equal(null);
    expect(recoveredMs(times(20, { ended: 0, accepted: 0, quick: 0 }))).to.equal(null);
  });
});

describe('the slots of calls', () => {
  it('count a call where it was planned, and as quick only when it was accepted in time', () => {
    const slots = new Slots(50);
    slots.record(0, 'accepted', 50);
    slots.record(99, 'accepted', 51);
    slots.record(250, 'refused', 1);
    slots.record(299.9, 'left', 1_500);
    expect(slots.all()).to.deep.equal([
      { ended: 2, accepted: 2, quick: 1 },
      { ended: 0, accepted: 0, quick: 0 },
      { ended: 2, accepted: 0, quick: 0 },
    ]);
  });

  it('of several generators are added up', () => {
    const one = { ended: 2, accepted: 1, quick: 1 };
    expect(sumSlots([[one, one], [one], []])).to.deep.equal([{ ended: 4, accepted: 2, quick: 2 }, one]);
  });
});
