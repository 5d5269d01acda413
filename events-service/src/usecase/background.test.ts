import { expect } from 'chai';
import { once } from 'node:events';
import { EventEmitter } from 'node:events';
import { makeOutgoing } from './outgoing.js';
import { makeTurns } from './turns.js';
import { makeWaker } from '../settlement/usecase/waker.js';

/** Lets a test wait for the n-th call of something. */
class Calls<T> {
  readonly made: T[] = [];
  readonly #emitter = new EventEmitter();

  note(call: T): void {
    this.made.push(call);
    this.#emitter.emit('call');
  }

  async until(count: number): Promise<readonly T[]> {
    while (this.made.length < count) await once(this.#emitter, 'call');
    return this.made;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('outgoing items', () => {
  const bounds = { itemsMax: 4, batchMax: 3, gapMs: 0, retryMs: 1 };

  it('are sent in order, in bounded batches, and again when sending failed', async () => {
    const calls = new Calls<readonly number[]>();
    let failures = 1;
    const outgoing = makeOutgoing<number>({
      ...bounds,
      send: (items) => {
        calls.note(items);
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error('down')) : Promise.resolve();
      },
      onDropped: () => undefined,
    });
    outgoing.push([1, 2, 3, 4]);
    expect(await calls.until(3)).to.deep.equal([[1, 2, 3], [1, 2, 3], [4]]);
    await outgoing.close();
  });

  it('are bounded: the oldest are dropped and counted', () => {
    const dropped: number[] = [];
    const outgoing = makeOutgoing<number>({
      ...bounds,
      send: () => Promise.reject(new Error('down')),
      onDropped: (items) => dropped.push(items),
    });
    outgoing.push([1, 2, 3, 4, 5, 6]);
    expect(dropped).to.deep.equal([2]);
    expect(outgoing.size).to.equal(4);
    return outgoing.close();
  });

  it('are all sent at the end', async () => {
    const sent: number[] = [];
    const outgoing = makeOutgoing<number>({
      ...bounds,
      gapMs: 60_000,
      send: (items) => {
        sent.push(...items);
        return Promise.resolve();
      },
      onDropped: () => undefined,
    });
    outgoing.push([1, 2, 3, 4]);
    await outgoing.close();
    expect(sent).to.deep.equal([1, 2, 3, 4]);
  });

  it('that cannot be sent at the end are dropped and counted', async () => {
    const dropped: number[] = [];
    const outgoing = makeOutgoing<number>({
      ...bounds,
      send: () => Promise.reject(new Error('down')),
      onDropped: (items) => dropped.push(items),
    });
    outgoing.push([1, 2]);
    await outgoing.close();
    expect(dropped).to.deep.equal([2]);
  });
});

describe('turns', () => {
  it('run one at a time, and calls during a run share the next one', async () => {
    const finishers: (() => void)[] = [];
    const turns = makeTurns(() => new Promise((resolve) => finishers.push(resolve)));
    const first = turns.take();
    const others = [turns.take(), turns.take()];
    expect(finishers).to.have.length(1);
    finishers[0]?.();
    await first;
    await turn();
    expect(finishers).to.have.length(2);
    finishers[1]?.();
    await Promise.all(others);
  });

  it('that fail reject their own callers and do not delay the next', async () => {
    let runs = 0;
    const turns = makeTurns(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('down')) : Promise.resolve();
    });
    const first = turns.take().catch((error: unknown) => (error as Error).message);
    const second = turns.take();
    expect(await first).to.equal('down');
    await second;
    expect(runs).to.equal(2);
  });

  it('do not begin after the close', async () => {
    let runs = 0;
    const turns = makeTurns(() => Promise.resolve(void (runs += 1)));
    await turns.close();
    await turns.take();
    expect(runs).to.equal(0);
  });
});

describe('the waker', () => {
  it('has one job on its way, and one more for all that was said meanwhile', async () => {
    const calls = new Calls<number>();
    const waker = makeWaker({
      send: () => {
        calls.note(1);
        return Promise.resolve();
      },
      gapMs: 1,
      onFailure: () => undefined,
    });
    for (let said = 0; said < 10; said += 1) waker.wake();
    expect(calls.made).to.have.length(1);
    await calls.until(2);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(calls.made).to.have.length(2);
  });

  it('survives a queue that is away', async () => {
    const failures = new Calls<number>();
    const waker = makeWaker({
      send: () => Promise.reject(new Error('down')),
      gapMs: 1,
      onFailure: () => failures.note(1),
    });
    waker.wake();
    await failures.until(1);
    waker.wake();
    await failures.until(2);
  });
});
