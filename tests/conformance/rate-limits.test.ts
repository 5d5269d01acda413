import os from 'node:os';
import { expect } from 'chai';
import { expectInvalid, expectLimited, expectNoFill, expectRejected } from '../driver/expect.js';
import { send, sendJson } from '../driver/http.js';
import type { Answer } from '../driver/http.js';
import { atOnce, freshAddress, inTurns, pass, waitForRoomInMinute } from '../driver/phone.js';
import { SMALL_LIMITS } from '../driver/product.js';
import { World } from '../driver/world.js';

const WIDTH = 32;
const MINUTE_MS = 60_000;

const world = new World('plain');
const { app } = world.pair();
const busy = world.app();

function countOf(answers: readonly Answer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

describe('rate limits of /sdk/initialize', () => {
  world.use();

  const body = { app_key: app.app_key, package_name: app.package_name };
  const from = (address: string, headers: Record<string, string> = {}): Promise<Answer> =>
    sendJson(world.url, '/v1/sdk/initialize', body, { 'x-forwarded-for': address, ...headers });

  it('let 600 pass per network and minute, whatever headers the client sends, and do not affect other networks', async () => {
    await waitForRoomInMinute(8_000);
    const answers = await inTurns(640, WIDTH, (index) =>
      from(`203.0.${index % 250}.${index % 200}, 198.51.100.${index % 250}`, {
        forwarded: `for=192.0.2.${index % 250}`,
        'x-real-ip': `192.0.2.${index % 250}`,
        'true-client-ip': `192.0.2.${index % 250}`,
        'cf-connecting-ip': `192.0.2.${index % 250}`,
      }),
    );
    expect(countOf(answers, 200)).to.equal(600);
    const refused = answers.filter((answer) => answer.status !== 200);
    refused.forEach(expectLimited);
    expect((await from('198.51.101.1')).status).to.equal(200);
    expectLimited(await from('198.51.100.77'));
    expectLimited(await from('::ffff:198.51.100.3'));
    expectLimited(await from('198.51.100.9:4711, nonsense, '));
  }).timeout(40_000);

  it('are checked before the body, and after path and method', async () => {
    const at = { 'x-forwarded-for': '198.51.100.5' };
    expectLimited(await send(world.url, { path: '/v1/sdk/initialize', headers: at, body: '{' }));
    expectLimited(
      await send(world.url, { path: '/v1/sdk/initialize', headers: at, body: 'x'.repeat(17_000) }),
    );
    expectInvalid(await send(world.url, { path: '/v1/sdk/nothing', headers: at }), ['path'], 404);
    expectInvalid(
      await send(world.url, { path: '/v1/sdk/initialize', method: 'GET', headers: at }),
      ['method'],
      405,
    );
  });

  it('count an IPv6 network as its /48', async () => {
    await waitForRoomInMinute(8_000);
    const answers = await inTurns(640, WIDTH, (index) => from(`2001:db8:77:${index.toString(16)}::1`));
    expect(countOf(answers, 200)).to.equal(600);
    expect((await from('2001:db8:78::1')).status).to.equal(200);
    expectLimited(await from('[2001:db8:77:ffff::2]:9000'));
  }).timeout(40_000);

  it('let about 3,000 pass per app key and minute, over all networks', async () => {
    await waitForRoomInMinute(7_000);
    const fields = { app_key: busy.app_key, package_name: busy.package_name };
    const addresses = await inTurns(12, 1, () => Promise.resolve(freshAddress()));
    const answers = await inTurns(3_400, WIDTH, (index) =>
      sendJson(world.url, '/v1/sdk/initialize', fields, { 'x-forwarded-for': addresses[index % 12]! }),
    );
    expect(countOf(answers, 200)).to.be.within(3_000, 3_300);
    answers.filter((answer) => answer.status !== 200).forEach(expectLimited);
  }).timeout(60_000);
});

describe('rate limits of /ads/request and /events/fallback by session', () => {
  world.use();

  it('let 120 ad requests pass per session and minute, invalid tokens included', async () => {
    await waitForRoomInMinute(5_000);
    const phone = await world.phone(app);
    const forged = { session_token: `forged.${freshAddress()}` };
    for (const over of [{}, forged]) {
      const answers = await inTurns(130, WIDTH, () => phone.request('banner', over));
      expect(countOf(answers, 429)).to.equal(10);
      answers.filter((answer) => answer.status === 429).forEach(expectLimited);
    }
    const neighbour = await world.phone(app);
    expect((await neighbour.request('banner')).status).to.equal(200);
  });

  it('let 120 fallbacks pass per session and minute, besides its ad requests', async () => {
    await waitForRoomInMinute(5_000);
    const phone = await world.phone(app);
    const answers = await inTurns(130, WIDTH, () => phone.fallback('home_banner'));
    expect(countOf(answers, 200)).to.equal(120);
    answers.filter((answer) => answer.status !== 200).forEach(expectLimited);
    expect((await phone.request('banner')).status).to.equal(200);
  });
});

describe('rate limits of events by request id and token', () => {
  world.use();

  it('let 20 pass per request id and minute over impression, click and reward together', async () => {
    await waitForRoomInMinute(5_000);
    const phone = await world.phone(app);
    const fill = await phone.fill('rewarded');
    const kinds = ['impression', 'click', 'reward'] as const;
    const answers = await inTurns(24, 1, (index) =>
      phone.event(kinds[index % 3]!, fill, { completion: true }),
    );
    expect(answers.slice(0, 20).map((answer) => answer.status)).to.not.include(429);
    answers.slice(20).forEach(expectLimited);
    expect((await phone.impression(await phone.fill('banner'))).status).to.equal(200);
  });

  it('let 20 pass per impression token and minute, with any request ids', async () => {
    await waitForRoomInMinute(5_000);
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    const answers = await inTurns(24, 1, (index) =>
      phone.event('impression', fill, { request_id: `req_made_up_${index}` }),
    );
    answers.slice(0, 20).forEach((answer) => expectRejected(answer, 'request_mismatch'));
    answers.slice(20).forEach(expectLimited);
    expect((await phone.impression(await phone.fill('banner'))).status).to.equal(200);
  });
});

const small = new World('short');
const narrow = small.pair();
const crowded = small.app();
const besieged = small.app();

describe('rate limits that the operator has set', () => {
  small.use();

  it('bound initializes per app key', async () => {
    await waitForRoomInMinute(5_000);
    const answers = await inTurns(SMALL_LIMITS.initializeAppKey + 8, 8, () => small.initialize(crowded));
    expect(countOf(answers, 200)).to.equal(SMALL_LIMITS.initializeAppKey);
  });

  it('bound ad requests per network', async () => {
    await waitForRoomInMinute(5_000);
    const phone = await small.phone(narrow.app);
    const answers = await inTurns(SMALL_LIMITS.adsNetwork + 8, 8, () => phone.request('banner'));
    expect(countOf(answers, 429)).to.equal(8);
  });

  it('bound ad requests per app key over all networks and sessions; those without a valid session do not count', async () => {
    await waitForRoomInMinute(5_000);
    const attempts = SMALL_LIMITS.adsAppKey + 8;
    const fields = { app_key: besieged.app_key, placement: 'home_banner', format: 'banner' };
    const junk = await inTurns(attempts, 8, (index) =>
      small.post('/v1/ads/request', { ...fields, session_token: `none.${index}` }),
    );
    expect(countOf(junk, 401)).to.equal(attempts);
    const phones = await inTurns(2, 1, () => small.phone(besieged));
    const answers = await inTurns(attempts, 8, (index) => phones[index % 2]!.request('banner'));
    expect(countOf(answers, 200)).to.equal(SMALL_LIMITS.adsAppKey);
    expect(countOf(answers, 429)).to.equal(8);
  });

  it('bound events per network over impression, click and reward together, and fallbacks separately', async () => {
    await waitForRoomInMinute(5_000);
    const at = { 'x-forwarded-for': freshAddress() };
    const kinds = ['impression', 'click', 'reward'] as const;
    const event = (index: number): Promise<Answer> =>
      small.post(
        `/v1/events/${kinds[index % 3]!}`,
        { request_id: `req_${index}`, impression_token: `none.${index}`, completion: true },
        at,
      );
    const events = await inTurns(SMALL_LIMITS.network + 8, 8, event);
    expect(countOf(events, 429)).to.equal(8);
    const fields = { session_token: 'none', placement: 'x', reason: 'error' };
    const fallbacks = await inTurns(SMALL_LIMITS.network + 8, 8, (index) =>
      small.post('/v1/events/fallback', { ...fields, session_token: `none.${index}` }, at),
    );
    expect(countOf(fallbacks, 401)).to.equal(SMALL_LIMITS.network);
  });
});

describe('the address of a client', () => {
  world.use();

  it('is the peer’s own when the peer is not a trusted proxy, whatever X-Forwarded-For contains', async function () {
    const outside = Object.values(os.networkInterfaces())
      .flat()
      .find((one) => one !== undefined && !one.internal && one.family === 'IPv4');
    if (outside === undefined) return this.skip();
    const url = new URL(world.url);
    url.hostname = outside.address;
    const begin = (index: number): Promise<Answer> =>
      sendJson(
        url.origin,
        '/v1/sdk/initialize',
        { app_key: app.app_key, package_name: app.package_name },
        {
          'x-forwarded-for': `10.99.${index % 250}.1`,
        },
      );
    const isOpen = await begin(0).then(
      () => true,
      () => false,
    );
    if (!isOpen) return this.skip();
    await waitForRoomInMinute(8_000);
    const answers = await inTurns(620, WIDTH, begin);
    expect(countOf(answers, 429)).to.be.within(20, 21);
  }).timeout(40_000);
});

/** Answers to two bursts of one session before and after the end of a minute, and to a request after `Retry-After`. */
interface Edge {
  readonly answers: readonly Answer[];
  /** From the edge to the last answer of the second burst. The window no longer counts this part of the first burst. */
  readonly lateMs: number;
  readonly afterWait: Answer;
}

// The edge of a minute is up to a minute away.
const edge = world.beside(async (): Promise<Edge> => {
  const phone = await world.phone(app);
  // The end of this minute or, if it is too close, of the next.
  const edgeAt = (Math.floor((Date.now() + 1_500) / MINUTE_MS) + 1) * MINUTE_MS;
  await pass(edgeAt - 1_200 - Date.now());
  const before = await atOnce(120, () => phone.request('banner'));
  await pass(edgeAt + 20 - Date.now());
  const answers = [...before, ...(await atOnce(120, () => phone.request('banner')))];
  const lateMs = Date.now() - edgeAt;
  const refused = answers.findLast((answer) => answer.status === 429)!;
  await pass(Number(refused.headers['retry-after']) * 1_000);
  return { answers, lateMs, afterWait: await phone.request('banner') };
});

describe('the sliding window', () => {
  world.use();

  it('does not double a burst over the end of a minute: at most 125 of 240 pass, and 30 are filled', async () => {
    const { answers, lateMs } = await edge();
    // 120, and two per second after the edge. On an idle machine both bursts take a fraction of a second.
    expect(answers.length - countOf(answers, 429)).to.be.within(120, 123 + Math.ceil(lateMs / 500));
    const fills = answers.filter((answer) => answer.body.status === 'fill');
    expect(fills.length).to.equal(30);
    for (const answer of answers) {
      if (answer.status === 200 && answer.body.status !== 'fill')
        expectNoFill(answer, 'no_eligible_campaign');
    }
  }).timeout(3 * MINUTE_MS);

  it('lets one request pass after Retry-After', async () => {
    expect((await edge()).afterWait.status).to.equal(200);
  }).timeout(3 * MINUTE_MS);
});
