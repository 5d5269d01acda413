import { expect } from 'chai';
import { makeMarket } from '../../market/market.js';
import { servedApps } from '../../market/served-apps.js';
import { Book } from '../domain/book.js';
import type { Network, Spell } from '../domain/network.js';
import { makeProfile } from '../domain/population.js';
import { streamOf } from '../domain/streams.js';
import { Air } from './air.js';
import { PhoneClock } from './phone-clock.js';

const BASE = 'http://placard.example/v1';
const GOOD: Network = {
  name: 'good',
  weight: 1,
  latencyMs: [0, 0],
  requestLost: 0,
  answerLost: 0,
  answerSilent: 0,
  spellsPerDay: 0,
};
const NO_FILL = { status: 'no_fill', request_id: 'req_1', fallback: 'none', reason: 'no_eligible_campaign' };

describe('the network between a phone and the server', () => {
  let book: Book;
  let sends: number;
  let answer: () => Promise<Response>;
  beforeEach(() => {
    book = new Book();
    sends = 0;
    answer = () => Promise.resolve(Response.json(NO_FILL));
  });

  function airOver(network: Partial<Network>, spells: readonly Spell[] = []): Air {
    const [app] = servedApps(makeMarket(10));
    const profile = {
      ...makeProfile(1, 0, [app!]),
      role: 'usual' as const,
      network: { ...GOOD, ...network },
    };
    return new Air({
      baseUrl: BASE,
      profile,
      chance: streamOf(1, 0, 'network'),
      spells,
      clock: new PhoneClock(1, performance.now()),
      book,
      send: () => {
        sends += 1;
        return answer();
      },
      onTruth: () => undefined,
    });
  }

  const ask = (air: Air, signal?: AbortSignal): Promise<Response> =>
    air.call(`${BASE}/ads/request`, {
      body: JSON.stringify({ app_key: 'app_x', placement: 'top' }),
      signal: signal ?? null,
    });
  const errorOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const requests = (): number =>
    [...book.tally().entries()]
      .filter(({ figure }) => figure === 'requests')
      .reduce((sum, { count }) => sum + count.least, 0);

  /** Requests that the server may have counted. */
  const open = (): number =>
    [...book.tally().entries()]
      .filter(({ figure }) => figure === 'requests')
      .reduce((sum, { count }) => sum + count.most - count.least, 0);

  it('brings a call to the server and its answer to the phone', async () => {
    const response = await ask(airOver({}));
    expect(await response.json()).to.deep.equal(NO_FILL);
    expect(requests()).to.equal(1);
  });

  it('loses a request before the server has it', async () => {
    expect(await errorOf(ask(airOver({ requestLost: 1 })))).to.be.instanceOf(TypeError);
    expect([sends, requests()]).to.deep.equal([0, 0]);
  });

  it('loses an answer after the book has it', async () => {
    expect(await errorOf(ask(airOver({ answerLost: 1 })))).to.be.instanceOf(TypeError);
    expect([sends, requests()]).to.deep.equal([1, 1]);
  });

  it('lets a phone give up without breaking its call', async () => {
    let arrive = (): void => undefined;
    answer = () => new Promise((resolve) => (arrive = () => resolve(Response.json(NO_FILL))));
    const stop = new AbortController();
    const air = airOver({});
    const asked = errorOf(ask(air, stop.signal));
    while (sends === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await asked).to.include({ name: 'AbortError' });
    expect(requests()).to.equal(0);
    arrive();
    await air.settled();
    expect(requests()).to.equal(1);
  });

  it('keeps a phone waiting for an answer that never comes, until its network is healed', async () => {
    const air = airOver({ answerSilent: 1 });
    const asked = errorOf(ask(air));
    while (!book.remarks.has('answers that never came'))
      await new Promise((resolve) => setImmediate(resolve));
    const turn = new Promise((resolve) => setImmediate(() => resolve('waits')));
    expect(await Promise.race([asked, turn])).to.equal('waits');
    air.heal();
    expect(await asked).to.be.instanceOf(TypeError);
    expect(requests()).to.equal(1);
  });

  it('refuses every call in a spell without network, until it is healed', async () => {
    const air = airOver({}, [{ fromMs: 0, toMs: 1e9 }]);
    expect(await errorOf(ask(air))).to.be.instanceOf(TypeError);
    expect(sends).to.equal(0);
    air.heal();
    await ask(air);
    expect(sends).to.equal(1);
  });

  it('takes an answer of 5xx for no answer, because nobody knows what the server did', async () => {
    answer = () => Promise.resolve(Response.json({ error: { code: 'server_error' } }, { status: 500 }));
    expect((await ask(airOver({}))).status).to.equal(500);
    expect(book.remarks.get('calls without a true answer')).to.equal(1);
    expect(open()).to.equal(1);
  });

  it('takes a refusal for overload for an answer: the server did nothing', async () => {
    const headers = { 'retry-after': '1' };
    answer = () =>
      Promise.resolve(Response.json({ error: { code: 'server_error' } }, { status: 500, headers }));
    await ask(airOver({}));
    expect(open()).to.equal(0);
  });
});
