import { expect } from 'chai';
import { Closers } from './closers.js';
import { makeLogger } from './logs.js';

const log = makeLogger('test', 'silent');

describe('Closers', () => {
  it('close in reverse order, one after the other', async () => {
    const closers = new Closers();
    const order: string[] = [];
    for (const name of ['first', 'second', 'third']) {
      closers.push(name, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(name);
      });
    }
    expect(await closers.closeAll(log)).to.deep.equal([]);
    expect(order).to.deep.equal(['third', 'second', 'first']);
  });

  it('close the others when one fails, and report every failure', async () => {
    const closers = new Closers();
    let isClosed = false;
    closers.push('good', () => {
      isClosed = true;
    });
    closers.push('bad', () => {
      throw new Error('one');
    });
    closers.push('worse', () => Promise.reject(new Error('two')));
    const errors = await closers.closeAll(log);
    expect(errors.map((error) => error.message)).to.deep.equal([
      'worse did not close: two',
      'bad did not close: one',
    ]);
    expect(isClosed).to.equal(true);
  });

  it('close once, however often closeAll is called', async () => {
    const closers = new Closers();
    let count = 0;
    closers.push('it', () => {
      count += 1;
    });
    await Promise.all([closers.closeAll(log), closers.closeAll(log)]);
    await closers.closeAll(log);
    expect(count).to.equal(1);
  });

  it('give up a closer that hangs when the time limit is over', async () => {
    const closers = new Closers();
    closers.push('hanging', () => new Promise(() => undefined));
    const errors = await closers.closeAll(log, 20);
    expect(errors.map((error) => error.message)).to.deep.equal(['hanging did not close within 20 ms']);
  });
});
