import { expect } from 'chai';
import fc from 'fast-check';
import { TimerWheel } from './timer-wheel.js';

describe('TimerWheel', () => {
  const TICK = 5;
  const SLOTS = 8;
  let wheel: TimerWheel;
  let runs: string[];

  beforeEach(() => {
    wheel = new TimerWheel(TICK, SLOTS, 1_000);
    runs = [];
  });
  const add = (at: number, name: string) => wheel.add(at, () => void runs.push(name));

  it('runs a callback once, at the first tick at or after its time', () => {
    add(1_012, 'a');
    wheel.advance(1_014.9);
    expect(runs).to.deep.equal([]);
    wheel.advance(1_015);
    wheel.advance(1_100);
    expect(runs).to.deep.equal(['a']);
    expect(wheel.count).to.equal(0);
  });

  it('runs a callback whose time is past at the next tick', () => {
    add(10, 'late');
    wheel.advance(1_004);
    expect(runs).to.deep.equal([]);
    wheel.advance(1_005);
    expect(runs).to.deep.equal(['late']);
  });

  it('keeps a timer that is further away than one turn', () => {
    add(1_000 + TICK * SLOTS * 3, 'far');
    add(1_000 + TICK * SLOTS, 'near');
    wheel.advance(1_000 + TICK * SLOTS * 2);
    expect(runs).to.deep.equal(['near']);
    wheel.advance(1_000 + TICK * SLOTS * 3);
    expect(runs).to.deep.equal(['near', 'far']);
  });

  it('never runs a cancelled callback, even if a callback of the same tick has cancelled it', () => {
    const first = add(1_005, 'first');
    first.cancel();
    first.cancel();
    wheel.add(1_005, () => victim.cancel());
    const victim = add(1_005, 'victim');
    add(1_005, 'last');
    wheel.advance(1_005);
    expect(runs).to.deep.equal(['last']);
    expect(wheel.count).to.equal(0);
  });

  it('accepts timers that a callback adds', () => {
    wheel.add(1_005, () => void add(1_005, 'again'));
    wheel.advance(1_005);
    expect(runs).to.deep.equal([]);
    wheel.advance(1_010);
    expect(runs).to.deep.equal(['again']);
  });

  it('runs the same callbacks as a searched list, for any sequence of calls', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), value: fc.integer({ min: 0, max: 120 }) }),
      fc.record({ do: fc.constant('cancel' as const), value: fc.nat(20) }),
      fc.record({ do: fc.constant('advance' as const), value: fc.integer({ min: 0, max: 90 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const tried = new TimerWheel(TICK, SLOTS, 0);
        const seen = new Set<number>();
        const model = new Map<number, number>();
        const timers = [];
        let [now, tick] = [0, 0];
        for (const { do: what, value } of steps) {
          const id = timers.length;
          if (what === 'add') {
            timers.push(tried.add(now + value, () => void seen.add(id)));
            model.set(id, Math.max(tick + 1, Math.ceil((now + value) / TICK)));
          } else if (what === 'cancel') {
            timers[value]?.cancel();
            model.delete(value);
          } else {
            now += value;
            tick = Math.floor(now / TICK);
            seen.clear();
            tried.advance(now);
            const due = [...model].filter(([, at]) => at <= tick).map(([each]) => each);
            for (const each of due) model.delete(each);
            expect([...seen].sort((a, b) => a - b)).to.deep.equal(due.sort((a, b) => a - b));
          }
          expect(tried.count).to.equal(model.size);
        }
      }),
    );
  });
});
