import { expect } from 'chai';
import { runAt } from './coarse-timers.js';

describe('runAt', () => {
  it('runs callbacks in the order of their times, never early, and never after they were cancelled', async () => {
    const base = performance.now();
    const runs: { readonly name: string; readonly after: number }[] = [];
    const add = (name: string, ms: number) =>
      runAt(base + ms, () => runs.push({ name, after: performance.now() - base }));
    add('later', 40);
    add('sooner', 12);
    add('cancelled', 20).cancel();
    await new Promise<void>((resolve) => runAt(base + 60, resolve));
    // Waits until no timer is left, then adds new ones.
    await new Promise((resolve) => setTimeout(resolve, 15));
    await new Promise<void>((resolve) => runAt(performance.now() + 10, resolve));
    expect(runs.map(({ name }) => name)).to.deep.equal(['sooner', 'later']);
    expect(runs[0]?.after).to.be.at.least(12);
    expect(runs[1]?.after).to.be.at.least(40);
  });
});
