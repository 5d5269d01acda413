import { expect } from 'chai';
import { Calls } from '../../test/calls.js';
import { makeOutgoing } from './outgoing.js';

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

  it('are dropped and counted when they cannot be sent at the end', async () => {
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
