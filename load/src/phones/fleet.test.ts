import { expect } from 'chai';
import { makeMarket } from '../market/market.js';
import { servedApps } from '../market/served-apps.js';
import { Book } from './domain/book.js';
import { runFleet } from './fleet.js';

/** A port of loopback where nothing listens. */
const NOBODY = 'http://127.0.0.1:1/v1';

describe('a fleet of phones', () => {
  it('ends its day when the server is gone', async () => {
    const lost = new AbortController();
    const book = new Book();
    const over = runFleet(
      { sessions: 50, hours: 24, speed: 600, seed: 1 },
      {
        baseUrl: NOBODY,
        apps: servedApps(makeMarket(10)),
        book,
        onProgress: () => undefined,
        stopping: new AbortController().signal,
        lost: lost.signal,
      },
    );
    while (!book.remarks.has('calls without a true answer')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    lost.abort();
    await over;
    expect(book.remarks.get('visits')).to.be.above(0);
  });
});
