import { expect } from 'chai';
import { makeTestClock } from '../testing/clock.js';
import type { CallbackResult } from './post-callback.js';
import { SILENCE_MS, spareSilentHosts } from './spare-silent-hosts.js';

const SILENT: CallbackResult = { isDelivered: false, isSilent: true, reason: 'no answer' };
const REFUSED: CallbackResult = { isDelivered: false, isSilent: false, reason: 'The answer was 500.' };
const DELIVERED: CallbackResult = { isDelivered: true };

describe('a receiver that gives no answer', () => {
  const clock = makeTestClock(0);
  let calls: string[];
  let result: CallbackResult;
  let post: ReturnType<typeof spareSilentHosts>;
  beforeEach(() => {
    calls = [];
    result = SILENT;
    post = spareSilentHosts(({ url }) => {
      calls.push(url);
      return Promise.resolve(result);
    }, clock);
  });
  const send = (url = 'https://game.example.com/a') => post({ url, headers: {}, body: '' });

  it('is not called again for ten seconds', async () => {
    expect(await send()).to.equal(SILENT);
    clock.advance(SILENCE_MS - 1);
    const spared = await send('https://game.example.com/b');
    expect(spared).to.deep.equal({
      isDelivered: false,
      isSilent: true,
      reason: 'The receiver gave no answer to other messages just before.',
    });
    expect(calls).to.have.length(1);
    clock.advance(1);
    result = DELIVERED;
    expect(await send()).to.equal(DELIVERED);
    expect(await send()).to.equal(DELIVERED);
    expect(calls).to.have.length(3);
  });

  it('is called with one attempt at a time after that, until it answers', async () => {
    await send();
    clock.advance(SILENCE_MS);
    const both = await Promise.all([send(), send()]);
    expect(both.map((one) => one === SILENT)).to.deep.equal([true, false]);
    expect(calls).to.have.length(2);
    expect(await send()).not.to.equal(SILENT);
    clock.advance(SILENCE_MS);
    result = REFUSED;
    expect(await send()).to.equal(REFUSED);
    expect(await send()).to.equal(REFUSED);
  });

  it('does not hold up other receivers', async () => {
    await send();
    result = DELIVERED;
    expect(await send('https://other.example.com/')).to.equal(DELIVERED);
  });
});
