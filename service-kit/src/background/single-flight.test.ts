import { expect } from 'chai';
import { settle } from '../testing/index.js';
import { makeSingleFlight } from './single-flight.js';

describe('a single flight', () => {
  it('runs once at a time, and calls during a run share the next one and its result', async () => {
    const finishers: ((result: number) => void)[] = [];
    const flight = makeSingleFlight(() => new Promise<number>((resolve) => finishers.push(resolve)));
    const first = flight.run();
    const others = [flight.run(), flight.run()];
    expect(finishers).to.have.length(1);
    finishers[0]?.(1);
    expect(await first).to.equal(1);
    await settle();
    expect(finishers).to.have.length(2);
    finishers[1]?.(2);
    expect(await Promise.all(others)).to.deep.equal([2, 2]);
  });

  it('that fails rejects its own callers and does not delay the next run', async () => {
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

  it('waits at its close for the run that is under way, and begins none afterwards', async () => {
    let end = (): void => undefined;
    let runs = 0;
    const flight = makeSingleFlight(() => {
      runs += 1;
      return new Promise<void>((resolve) => (end = resolve));
    });
    void flight.run();
    const refused = flight.run().catch((error: unknown) => (error as { readonly code: string }).code);
    let isClosed = false;
    const closing = flight.close().then(() => (isClosed = true));
    await settle();
    expect(isClosed).to.equal(false);
    end();
    await closing;
    expect(await refused).to.equal('unavailable');
    expect(runs).to.equal(1);
  });
});
