import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { connectRedis, type RedisClient } from '@placard/service-kit/redis';
import type { AppEntry } from '../driver/catalog.js';
import { expectAccepted, expectNoFill, expectRejected, fillOf } from '../driver/expect.js';
import { sendJson, type Answer } from '../driver/http.js';
import { atOnce, freshAddress, inTurns, pass, waitForRoomInMinute, type Phone } from '../driver/phone.js';
import type { Fill } from '../driver/wire.js';
import { World } from '../driver/world.js';

const world = new World('cluster');

const FILLS = 200;
const TOKENS = 100;
const SAME_AT_ONCE = 20;
const CAP = 3;
const CAPPED_SESSIONS = 50;
const SESSIONS = 300;
/** Idle times around the usual timeouts of servers and balancers. */
const IDLES_MS = [4_900, 5_000, 5_100, 59_000, 61_000, 74_000];
const IDLE_CONNECTIONS = 20;
const APPS = 50;
/** Price of an impression in nano-units: a bid of 2.50 per thousand, with a share of 70 % for the publisher. */
const PRICE = 2_500_000n;
const SHARE = 1_750_000n;

const table: string[] = [];

function note(what: string, found: string): void {
  table.push(`      ${what.padEnd(58)} ${found}`);
}

/** Reports an impression directly to one gateway. */
function report(gatewayUrl: string, phone: Phone, fill: Fill): Promise<Answer> {
  const fields = { request_id: fill.requestId, impression_token: fill.token };
  return sendJson(gatewayUrl, '/v1/events/impression', fields, phone.headers);
}

function countOf(answers: readonly Answer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

describe('two of every process on a Redis Cluster of three masters', () => {
  world.use();
  after('the figures', () => void process.stdout.write(`${table.join('\n')}\n`));

  const doubled = world.pair();
  it(`${FILLS} impressions, each sent to both gateways at once: ${FILLS} accepted, ${FILLS} duplicates, one charge each`, async () => {
    const [one, other] = world.running.gatewayUrls as [string, string];
    const phones = await inTurns(FILLS / 10, 5, () => world.phone(doubled.app));
    const before = await world.balances();
    const answers = await inTurns(FILLS, 10, async (index) => {
      const phone = phones[index % phones.length]!;
      const fill = await phone.fill('banner');
      return Promise.all([report(one, phone, fill), report(other, phone, fill)]);
    });
    for (const pair of answers) {
      const [accepted, duplicate] = [...pair].sort((a, b) => a.status - b.status) as [Answer, Answer];
      expectAccepted(accepted);
      expectRejected(duplicate, 'duplicate');
    }
    const firsts = answers.filter(([first]) => first.status === 200).length;
    note('accepted by the first gateway, by the second', `${firsts}, ${FILLS - firsts}`);
    await world.settle();
    const rows = (await world.report('--by', 'campaign')).rows;
    const row = rows.find(({ campaign }) => campaign === doubled.campaign.id);
    expect({ fills: row?.fills, impressions: row?.impressions, spend: row?.spend }).to.deep.equal({
      fills: FILLS,
      impressions: FILLS,
      spend: '0.500000000',
    });
    const after = await world.balances();
    const moved = (account: string): bigint => (after.get(account) ?? 0n) - (before.get(account) ?? 0n);
    const [charged] = changes(before, after, 'advertiser/');
    const [credited] = changes(before, after, 'publisher/');
    expect(charged).to.equal(-PRICE * BigInt(FILLS));
    expect(credited).to.equal(SHARE * BigInt(FILLS));
    expect(moved('platform/platform')).to.equal((PRICE - SHARE) * BigInt(FILLS));
    note('charged, credited for 200 impressions (nano-units)', `${charged}, ${credited}`);
  }).timeout(90_000);

  const raced = world.pair();
  it(`${TOKENS} tokens, each reported ${SAME_AT_ONCE} times at once over both gateways: one 200 and nineteen 409, then 429`, async () => {
    const { gatewayUrls } = world.running;
    const phones = await inTurns(TOKENS / 10, 5, () => world.phone(raced.app));
    let accepted = 0;
    await inTurns(TOKENS, 2, async (index) => {
      const phone = phones[index % phones.length]!;
      const fill = await phone.fill('banner');
      await waitForRoomInMinute(3_000);
      const answers = await atOnce(SAME_AT_ONCE, (turn) => report(gatewayUrls[turn % 2]!, phone, fill));
      expect([countOf(answers, 200), countOf(answers, 409)]).to.deep.equal([1, SAME_AT_ONCE - 1]);
      const more = await report(gatewayUrls[index % 2]!, phone, fill);
      expect([more.status, Number(more.headers['retry-after']) > 0]).to.deep.equal([429, true]);
      accepted += 1;
    });
    const [row] = await world.rows('campaign', ({ campaign }) => campaign === raced.campaign.id);
    expect([row?.impressions, row?.spend]).to.deep.equal([TOKENS, '0.250000000']);
    note(`tokens reported 20 times at once: charged once`, `${accepted} of ${TOKENS}`);
  }).timeout(120_000);

  const capped = world.pair(
    {},
    {
      placements: [
        {
          code: 'home_banner',
          format: 'banner',
          fallback_provider: 'partner',
          frequency_cap: { count: CAP, period: 'session' },
        },
      ],
    },
  );
  it(`a cap of ${CAP} per session holds under ${SAME_AT_ONCE} requests at once over both gateways, ${CAPPED_SESSIONS} times`, async () => {
    const counts = await inTurns(CAPPED_SESSIONS, 2, async () => {
      const phone = await world.phone(capped.app);
      const answers = await atOnce(SAME_AT_ONCE, () => phone.request('banner'));
      for (const answer of answers) {
        if (answer.body.status !== 'fill') expectNoFill(answer, 'frequency_capped', 'partner');
      }
      return answers.filter((answer) => answer.body.status === 'fill').length;
    });
    note(
      `fills of sessions with a cap of ${CAP}: least, most`,
      `${Math.min(...counts)}, ${Math.max(...counts)}`,
    );
    expect(new Set(counts)).to.deep.equal(new Set([CAP]));
  }).timeout(90_000);

  const pairs = Array.from({ length: APPS }, () => world.pair());
  it(`${SESSIONS} sessions of ${APPS} apps and campaigns load the masters evenly, and no command goes to a wrong slot`, async () => {
    const redis = connectRedis({ url: world.running.redisUrl, name: 'test', waitsForRedis: true });
    try {
      const before = await masterCounts(redis);
      await inTurns(SESSIONS, 16, (index) => life(pairs[index % APPS]!.app));
      await world.settle();
      const after = await masterCounts(redis);
      const commands = after.map((master, index) => master.commands - before[index]!.commands);
      const keys = after.map((master) => master.keys);
      note('keys of each master', keys.join(', '));
      note('commands of each master during 300 sessions', commands.join(', '));
      expectEven('keys', keys);
      expectEven('commands', commands);
    } finally {
      redis.disconnect();
    }
    expect(linesOfLogs(world.running.dataDir, /CROSSSLOT|MOVED|same slot/)).to.deep.equal([]);
  }).timeout(90_000);

  const idle = world.pair();
  const idled = world.beside(async () => {
    const { gatewayUrls } = world.running;
    const faults = await Promise.all(
      IDLES_MS.flatMap((idleMs) =>
        Array.from({ length: IDLE_CONNECTIONS }, (_, index) =>
          askTwice(gatewayUrls[index % gatewayUrls.length]!, idle.app, idleMs),
        ),
      ),
    );
    return faults.filter((fault) => fault !== null);
  });
  it(`connections that idle for up to ${IDLES_MS.at(-1)! / 1_000} s stay open: balancers close theirs first`, async () => {
    expect(await idled()).to.deep.equal([]);
    note('kept connections that were used again after idling', String(IDLES_MS.length * IDLE_CONNECTIONS));
  }).timeout(120_000);

  /** Requests ads until one is filled. A request that waits too long for its campaign's money gets none; a later one does. */
  async function nextFill(phone: Phone): Promise<Fill> {
    let answer = await phone.request('banner');
    for (let tries = 1; tries < 5 && answer.body.status !== 'fill'; tries += 1) {
      expectNoFill(answer, 'no_eligible_campaign', 'partner');
      answer = await phone.request('banner');
    }
    return fillOf(answer);
  }

  /** A whole life: session, ad, impression and click. */
  async function life(app: AppEntry): Promise<void> {
    const phone = await world.phone(app);
    const fill = await nextFill(phone);
    expectAccepted(await phone.impression(fill));
    await pass(1_100);
    expectAccepted(await phone.click(fill));
  }
});

/** Starts two sessions over one connection with a pause between them; returns the fault, or null. */
async function askTwice(gatewayUrl: string, app: AppEntry, idleMs: number): Promise<string | null> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (): Promise<string> => initializeOver(agent, gatewayUrl, app);
  try {
    const first = await ask();
    await pass(idleMs);
    const second = await ask();
    return first === '200' && second === '200 again' ? null : `idle for ${idleMs} ms: ${first}, ${second}`;
  } finally {
    agent.destroy();
  }
}

/** The status, `again` when the connection was used before, or why there was no answer. */
function initializeOver(agent: http.Agent, gatewayUrl: string, app: AppEntry): Promise<string> {
  return new Promise((resolve) => {
    const request = http.request(`${gatewayUrl}/v1/sdk/initialize`, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': freshAddress() },
    });
    request.on('error', (error) => resolve(error.message));
    request.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(`${response.statusCode}${request.reusedSocket ? ' again' : ''}`));
    });
    request.end(JSON.stringify({ app_key: app.app_key, package_name: app.package_name }));
  });
}

/** Changes of the balances of accounts of a kind, without zeros. */
function changes(
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
  kind: string,
): bigint[] {
  const moved = [...after]
    .filter(([account]) => account.startsWith(kind))
    .map(([account, amount]) => amount - (before.get(account) ?? 0n));
  return moved.filter((amount) => amount !== 0n);
}

interface MasterCounts {
  readonly keys: number;
  readonly commands: number;
}

async function masterCounts(redis: RedisClient): Promise<MasterCounts[]> {
  if (!('nodes' in redis)) throw new Error('this is no cluster');
  await redis.ping();
  const masters = [...redis.nodes('master')].sort((a, b) => (a.options.port ?? 0) - (b.options.port ?? 0));
  return Promise.all(
    masters.map(async (node) => {
      const stats = await node.info('stats');
      const commands = Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]);
      return { keys: await node.dbsize(), commands };
    }),
  );
}

/** Asserts that each count is between half of the mean and one and a half of it. */
function expectEven(what: string, counts: readonly number[]): void {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  for (const count of counts) {
    expect(count, `${what} of the masters: ${counts.join(', ')}`).to.be.within(mean / 2, mean * 1.5);
  }
}

function linesOfLogs(dataDir: string, wanted: RegExp): string[] {
  const dir = path.join(dataDir, 'logs');
  return readdirSync(dir).flatMap((name) =>
    readFileSync(path.join(dir, name), 'utf8')
      .split('\n')
      .filter((line) => wanted.test(line))
      .map((line) => `${name}: ${line}`),
  );
}
