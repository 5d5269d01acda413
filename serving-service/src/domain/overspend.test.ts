import { expect } from 'chai';
import { allowedFor, overspendOf, type LimitMemory, type LimitUse, type Overspend } from './overspend.js';

function use(limitNanos: bigint, acceptedNanos: bigint, usedNanos = acceptedNanos): LimitUse {
  return { limit: 'total', id: 'cmp_a', day: null, limitNanos, acceptedNanos, usedNanos };
}

/** What is overspent after a row of looks. */
function after(...uses: readonly LimitUse[]): bigint {
  let memory: LimitMemory | null = null;
  let found: Overspend | null = null;
  for (const one of uses) {
    memory = allowedFor(one, memory);
    found = overspendOf(one, memory);
  }
  return found?.overNanos ?? 0n;
}

describe('an overspend', () => {
  it('is what was accepted beyond the limit, to the nano-unit', () => {
    expect(after(use(100n, 40n), use(100n, 100n))).to.equal(0n);
    expect(after(use(100n, 40n), use(100n, 101n))).to.equal(1n);
  });

  it('is found by a process that starts after the loss, as soon as more is accepted than fits', () => {
    expect(after(use(100n, 90n, 100n), use(100n, 103n))).to.equal(3n);
  });

  it('is not what was used when a limit was lowered, open fills included', () => {
    expect(after(use(100n, 60n, 80n), use(50n, 60n, 80n), use(50n, 80n))).to.equal(0n);
    expect(after(use(100n, 60n, 80n), use(50n, 60n, 80n), use(50n, 81n))).to.equal(1n);
  });

  it('is not what was used of a limit that was lowered before the process started', () => {
    expect(after(use(50n, 60n, 80n), use(50n, 80n))).to.equal(0n);
  });

  it('stays when the limit is lowered afterwards, and goes when it is raised enough', () => {
    expect(after(use(100n, 50n), use(100n, 103n), use(40n, 103n))).to.equal(3n);
    expect(after(use(100n, 50n), use(100n, 103n), use(103n, 103n))).to.equal(0n);
  });
});
