import { expect } from 'chai';
import { makeNumberedBatches } from './numbered-batches.js';

describe('numbered batches', () => {
  const setUp = () => {
    const state = { collected: [] as string[], isDown: false };
    const sent: (readonly [batch: string, sequence: number])[] = [];
    const batches = makeNumberedBatches<string>({
      take: () => state.collected.splice(0),
      send: (batch, sequence) => {
        sent.push([batch, sequence]);
        return state.isDown ? Promise.reject(new Error('down')) : Promise.resolve();
      },
    });
    return { state, sent, batches };
  };

  it('are sent in order, numbered from 1', async () => {
    const { state, sent, batches } = setUp();
    state.collected.push('a', 'b');
    await batches.flush();
    state.collected.push('c');
    await batches.flush();
    await batches.flush();
    expect(sent).to.deep.equal([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('are sent again unchanged until they are acknowledged, and then what came meanwhile', async () => {
    const { state, sent, batches } = setUp();
    state.isDown = true;
    state.collected.push('a', 'b');
    const failure = await batches.flush().catch((error: unknown) => (error as Error).message);
    expect(failure).to.equal('down');
    expect(batches.unacknowledged).to.deep.equal(['a', 'b']);
    state.collected.push('c');
    state.isDown = false;
    await batches.flush();
    expect(sent).to.deep.equal([
      ['a', 1],
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    expect(batches.unacknowledged).to.deep.equal([]);
  });

  it('hand over in a flush everything that was collected before it, also while another flush runs', async () => {
    const { state, sent, batches } = setUp();
    state.collected.push('a');
    const first = batches.flush();
    state.collected.push('b');
    await batches.flush();
    await first;
    expect(sent.map(([batch]) => batch)).to.deep.equal(['a', 'b']);
  });
});
