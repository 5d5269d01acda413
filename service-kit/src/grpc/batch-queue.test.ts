import { expect } from 'chai';
import { BatchQueue } from './batch-queue.js';

interface Call {
  readonly request: Buffer;
}

describe('BatchQueue', () => {
  let messages: (readonly Call[])[];
  let returns: (() => void)[];
  let queue: BatchQueue<Call>;

  beforeEach(() => {
    messages = [];
    returns = [];
    const together = (calls: readonly Call[], returned: () => void): void => {
      messages.push(calls);
      returns.push(returned);
    };
    queue = new BatchQueue<Call>({ alone: (call, returned) => together([call], returned), together });
  });

  function add(count: number, bytes = 1): void {
    for (let i = 0; i < count; i += 1) queue.add({ request: Buffer.alloc(bytes) });
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const sizes = (): number[] => messages.map((calls) => calls.length);

  it('sends what one turn of the event loop made in one message, and waits for nothing when idle', async () => {
    add(1);
    await Promise.resolve();
    add(2);
    await turn();
    expect(sizes()).to.deep.equal([3]);
    returns[0]?.();
    add(1);
    await turn();
    expect(sizes()).to.deep.equal([3, 1]);
  });

  it('gathers while a message is on its way, and sends when it returns', async () => {
    add(1);
    await turn();
    add(2);
    await turn();
    add(1);
    await turn();
    returns[0]?.();
    await turn();
    expect(sizes()).to.deep.equal([1, 3]);
  });

  it('waits a bounded time for messages that do not return', async () => {
    add(1);
    await turn();
    add(2);
    while (messages.length < 2) await turn();
    expect(sizes()).to.deep.equal([1, 2]);
  });

  it('puts no more than 64 calls and 1 MiB into a message', async () => {
    add(150);
    await turn();
    expect(sizes().slice(0, 2)).to.deep.equal([64, 64]);
    for (const returned of returns) returned();
    await turn();
    expect(sizes()).to.deep.equal([64, 64, 22]);
    for (const returned of returns.slice(2)) returned();
    add(5, 250 * 1024);
    await turn();
    returns[3]?.();
    await turn();
    expect(sizes().slice(3)).to.deep.equal([4, 1]);
  });
});
