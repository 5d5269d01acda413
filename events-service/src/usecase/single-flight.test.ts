import { expect } from 'chai';
import { makeSingleFlight } from './single-flight.js';

describe('a single flight', () => {
  it('runs one at a time, and calls during a run share the next run', async () => {
    const finishers: (() => void)[] = [];
    const flight = makeSingleFlight(() => new Promise((resolve) => finishers.push(resolve)));
    const first = flight.run();
    const others = [flight.run(), flight.run()];
    expect(finishers).to.have.length(1);
    finishers[0]?.();
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    expect(finishers).to.have.length(2);
    finishers[1]?.();
    await Promise.all(others);
  });

  it('rejects the callers of a failed run and does not delay the next run', async () => {
    let runs = 0;
    const flight = makeSingleFlight(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('down')) : Promise.resolve();
    });
    const first = flight.run().catch((error: unknown) => (error as Error).message);
    const second = flight.run();
    expect(await first).to.equal('down');
    await second;
    expect(runs).to.equal(2);
  });

  it('starts no run after it was closed', async () => {
    let runs = 0;
    const flight = makeSingleFlight(() => Promise.resolve(void (runs += 1)));
    await flight.close();
    await flight.run();
    expect(runs).to.equal(0);
  });
});
