import { expect } from 'chai';
import {
  memoryStore,
  webStore,
  type EventOutcome,
  type EventStore,
  type Impression,
  type Placard,
  type QueuedEvent,
  type WebStorage,
} from '../src/index.js';
import { Device } from './device.js';
import { placardOn, Server } from './server.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const OTHER_APP = 'app_000000000000000000000002';

/** The storage of a browser. */
function storage(): WebStorage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

describe('the outbox of the SDK', () => {
  let device: Device;
  let server: Server;
  let placard: Placard;
  let store: EventStore;
  let outcomes: EventOutcome[];

  const create = (over: Parameters<typeof placardOn>[1] = {}): Placard => {
    placard = placardOn(device, { eventStore: store, ...over });
    placard.onEvent((outcome) => outcomes.push(outcome));
    return placard;
  };
  beforeEach(() => {
    device = new Device();
    server = new Server(device);
    store = memoryStore();
    outcomes = [];
    create();
  });
  afterEach(() => placard.close());

  /** Shows an ad to its end. */
  async function show(use: (impression: Impression) => Promise<unknown>, code = 'end'): Promise<void> {
    const ad = placard.fullscreen(code);
    await ad.load();
    await ad.show(async (impression) => {
      await use(impression);
    });
  }
  const shown = (impression: Impression): Promise<void> => impression.shown();
  const sent = (): readonly string[] =>
    device.received.flatMap(({ path }) => (/^\/events\/(.*)/.exec(path) ?? []).slice(1));
  const restart = async (): Promise<void> => {
    placard.close();
    device.received.length = 0;
    await create().start();
  };

  it('sends the events of other ads while four wait after failed attempts', async () => {
    const stuck = new Set(['req_1', 'req_2', 'req_3', 'req_4']);
    server.on('/events/impression', ({ body }) =>
      stuck.has(String(body['request_id'])) ? { status: 500, body: {} } : null,
    );
    for (let ad = 1; ad <= 6; ad += 1) await show(shown);
    await device.pass(SECOND_MS);
    expect(outcomes.map(({ event }) => 'requestId' in event && event.requestId)).to.deep.equal([
      'req_5',
      'req_6',
    ]);
    stuck.clear();
    await device.pass(MINUTE_MS);
    await placard.drained();
    expect(outcomes).to.have.length(6);
  });

  it('keeps the time to a click although the clock is set forward after the impression', async () => {
    await show(async (impression) => {
      await impression.shown();
      await device.pass(0);
      device.nowMs += 5 * SECOND_MS;
      await impression.clicked();
    });
    await device.pass(SECOND_MS);
    expect(sent()).to.deep.equal(['impression']);
    await device.pass(SECOND_MS);
    expect(sent()).to.deep.equal(['impression', 'click']);
  });

  it('sends the impression of an earlier run first although the clock was set back after it', async () => {
    server.on('/events/impression', () => 'lost');
    await show(async (impression) => {
      await impression.shown();
      device.nowMs -= 10 * MINUTE_MS;
      await impression.completed(true);
      device.nowMs -= 10 * MINUTE_MS;
      await impression.clicked();
    }, 'video');
    server.on('/events/impression', () => null);
    await restart();
    await device.pass(5 * SECOND_MS);
    expect(sent()).to.deep.equal(['impression', 'click', 'reward']);
  });

  it('keeps the time to a click over a restart of the app', async () => {
    await show(async (impression) => {
      await impression.shown();
      await device.pass(0);
      await impression.clicked();
    });
    await restart();
    await device.pass(SECOND_MS);
    expect(sent()).to.deep.equal([]);
    await device.pass(SECOND_MS);
    expect(sent()).to.deep.equal(['click']);
  });

  it('sends no click before its impression, and is not drained, while the store is slow', async () => {
    const waits: (() => void)[] = [];
    const inner = memoryStore();
    const put = (event: QueuedEvent): Promise<void> =>
      new Promise<void>((resolve) => waits.push(resolve)).then(() => inner.put(event));
    store = { ...inner, put };
    create();
    let isDrained = false;
    await show((impression) => {
      void impression.shown();
      void impression.clicked();
      void placard.drained().then(() => (isDrained = true));
      return Promise.resolve();
    });
    await device.pass(5 * SECOND_MS);
    expect([sent(), isDrained]).to.deep.equal([['impression'], false]);
    for (const resolve of waits) resolve();
    await device.pass(5 * SECOND_MS);
    expect([sent(), isDrained]).to.deep.equal([['impression', 'click'], true]);
    expect(await inner.list()).to.deep.equal([]);
  });

  it('takes no answer of a network that wants a login as final', async () => {
    server.on('/events/impression', () => ({ status: 200, body: { status: 'ok' } }));
    await show(shown);
    await device.pass(MINUTE_MS);
    expect(outcomes).to.deep.equal([]);
    server.on('/events/impression', () => null);
    await device.pass(MINUTE_MS);
    expect(outcomes.map(({ isAccepted }) => isAccepted)).to.deep.equal([true]);
  });

  it('leaves the events of another app with the same store to that app', async () => {
    store = webStore(storage());
    create({ appKey: OTHER_APP });
    server.on('/ads/request', () => 'lost');
    server.on('/events/fallback', () => 'lost');
    await placard.fullscreen('end').load();
    placard.close();
    server.on('/events/fallback', () => null);
    await restart();
    await device.pass(MINUTE_MS);
    expect([sent(), (await store.list()).length]).to.deep.equal([[], 1]);
    placard.close();
    await create({ appKey: OTHER_APP }).start();
    await device.pass(SECOND_MS);
    expect([sent(), await store.list()]).to.deep.equal([['fallback'], []]);
  });

  it('skips what is no event, as a row that was removed while the store was read', async () => {
    server.on('/events/impression', () => 'lost');
    await show(shown);
    server.on('/events/impression', () => null);
    const { list } = store;
    const strange = [null, 7, {}, { id: 'app_000000000000000000000001.1', kind: 'other' }];
    store = { ...store, list: async () => [...(strange as unknown as QueuedEvent[]), ...(await list())] };
    await restart();
    await device.pass(SECOND_MS);
    expect(sent()).to.deep.equal(['impression']);
  });

  it('keeps the last hundred fallbacks without network, and every event of an ad', async () => {
    await show(shown);
    server.on('/events/click', () => 'lost');
    await show(async (impression) => {
      await impression.shown();
      await impression.clicked();
    });
    server.on('/ads/request', () => 'lost');
    server.on('/events/fallback', () => 'lost');
    for (let load = 0; load < 130; load += 1) {
      await placard.fullscreen('end').load();
      await device.pass(SECOND_MS);
    }
    const kinds = (await store.list()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'click')).to.have.length(1);
    expect(kinds.filter((kind) => kind === 'fallback').length).to.be.within(100, 104);
    server.on('/events/fallback', () => null);
    server.on('/events/click', () => null);
    placard.flush();
    await device.pass(2 * MINUTE_MS);
    await placard.drained();
    expect(await store.list()).to.deep.equal([]);
  });

  it('has no timer when it is closed, whatever it waits for', async () => {
    server.on('/events/impression', ({ body }) =>
      body['request_id'] === 'req_1'
        ? { status: 429, body: { error: { code: 'rate_limited' } }, retryAfter: 40 }
        : body['request_id'] === 'req_2'
          ? 'lost'
          : null,
    );
    for (let ad = 1; ad <= 2; ad += 1) await show(shown);
    await show(async (impression) => {
      await impression.shown();
      await device.pass(0);
      await impression.clicked();
    });
    await device.pass(0);
    placard.close();
    expect(device.held).to.equal(0);
    expect(await store.list()).to.have.length(3);
  });
});
