import { AdFormat } from '@placard/protos/catalog/v1/catalog.js';
import { dayOf } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { URI, type TOTP } from 'otpauth';
import type { OperationId } from '../../src/manage/domain/operations.js';
import type { TestConsole } from '../support/console.js';
import { OPERATIONS } from './api-document.js';
import { send, write, type ApiAnswer, type ApiRequest, type KnownValues } from './requests.js';

/** A catalog with one object of each kind. */
export const CATALOG = JSON.stringify({
  publishers: [
    {
      id: 'pub_a',
      name: 'A',
      revenue_share: 0.5,
      apps: [
        {
          id: 'app_a',
          app_key: `app_${'a'.repeat(24)}`,
          package_name: 'org.a',
          name: 'A',
          placements: [
            { code: 'main', format: 'banner' },
            {
              code: 'video',
              format: 'rewarded',
              reward: { item: 'coins', amount: 5, callback_url: 'https://game.example.com/' },
            },
          ],
        },
      ],
    },
  ],
  advertisers: [
    {
      id: 'adv_a',
      name: 'A',
      balance: 5,
      campaigns: [
        {
          id: 'cmp_a',
          name: 'A',
          bid_cpm: 1,
          creatives: [
            {
              id: 'cr_a',
              format: 'banner',
              type: 'image',
              url: 'https://cdn.example.com/a.png',
              click_url: 'https://shop.example.com/',
            },
          ],
        },
      ],
    },
  ],
});

/** The ad of a reward of `app_a`. */
const REWARDED = 'req_018f0000000070008000000000000001';

/** What {@link CATALOG} has, for generated requests. */
export const KNOWN_VALUES: KnownValues = {
  'path publishers': ['pub_a'],
  'path apps': ['app_a'],
  'path placements': ['app_a/main'],
  'path advertisers': ['adv_a'],
  'path campaigns': ['cmp_a'],
  'path creatives': ['cr_a'],
  'path rewards': [REWARDED],
  'path ledger': ['2026-10'],
  publisher: ['pub_a'],
  app: ['app_a'],
  placement: ['main', 'app_a/main'],
  request_id: [REWARDED],
  advertiser: ['adv_a'],
  campaign: ['cmp_a'],
  id: ['cmp_a', 'app_a/main'],
  account: ['adv_a', 'publisher:pub_a', 'platform'],
  month: ['2026-10'],
  from: ['2026-11-01', '2026-11-01T10:00:00Z'],
  to: ['2026-11-30', '2026-11-30T12:00:00Z'],
  zone: ['Europe/Vienna'],
};

/** Lets the stand-in for the other services answer as they do for {@link CATALOG}, and stores a reward callback. */
export async function prepareAnswers({ events, scope, db }: TestConsole): Promise<void> {
  await db.pool.query(
    `INSERT INTO rewards.callback
       (request_id, publisher_id, app_id, placement, item, amount, is_test, rewarded_at, stored_at, round_at)
     VALUES ($1, 'pub_a', 'app_a', 'video', 'coins', 5, false, now(), now(), now())`,
    [REWARDED],
  );
  events.explain.explained = {
    requestId: '',
    atMs: 0n,
    appId: 'app_a',
    placement: 'main',
    format: AdFormat.BANNER,
    result: 'fill',
    winner: 'cmp_a',
    candidates: [],
    candidateCount: 0,
  };
  events.auctions = [1, 2, 3].map((ago) => ({
    day: BigInt(dayOf(scope.clock.now()) - ago),
    unsold: 100n,
    sold: [],
    impressions: 0n,
  }));
}

const PASSWORD = 'correct horse battery staple';

/** An instance whose catalog is {@link CATALOG}, and the number of requests that were made for it. */
interface World {
  readonly port: number;
  /** Differs at each call. */
  next(): number;
}

/** The parts of a request that are not empty. */
type Parts = Partial<ApiRequest>;
type MakeParts = (world: World) => Parts | Promise<Parts>;

/** Makes requests of which each is answered with its status of success. */
export function makeKnownRequests(port: number): (operationId: OperationId) => Promise<ApiRequest> {
  let count = 0;
  const world: World = { port, next: () => (count += 1) };
  return async (operationId) => requestOf(world, operationId, await PARTS[operationId](world));
}

function requestOf(world: World, operationId: string, parts: Parts): ApiRequest {
  const operation = operationOf(operationId);
  const needsKey = operation.requested.some(({ name }) => name === 'Idempotency-Key');
  const headers = needsKey ? { 'Idempotency-Key': `known-${world.next()}` } : {};
  return { path: {}, query: {}, ...parts, headers: { ...headers, ...parts.headers } };
}

function operationOf(operationId: string) {
  const operation = OPERATIONS.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`no operation ${operationId}`);
  return operation;
}

/** Calls an operation that must succeed. */
async function call(world: World, operationId: OperationId, parts: Parts): Promise<ApiAnswer> {
  const request = requestOf(world, operationId, parts);
  const answer = await send(world.port, write(operationOf(operationId), request));
  expect(answer.status, `${operationId}: ${answer.text}`).to.be.below(300);
  return answer;
}

async function jsonOf(answer: Promise<ApiAnswer>): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse((await answer).text) as Readonly<Record<string, unknown>>;
}

const atPath = (id: string): Parts => ({ path: { id } });
const MONEY = (world: World, id: string): Parts => ({
  ...atPath(id),
  body: { amount: '1.50', reference: `INV${world.next()}` },
});

const newCampaignFields = (count: number) => ({
  id: `cmp_${count}`,
  advertiser: 'adv_a',
  name: 'New',
  bid_cpm: '1',
});

/** What a new object of each kind has, with an id that is free. */
const NEW: Readonly<Record<string, (count: number) => Readonly<Record<string, unknown>>>> = {
  Publisher: (count) => ({ id: `pub_${count}`, name: 'New', revenue_share: '0.5' }),
  App: (count) => ({
    id: `app_${count}`,
    publisher: 'pub_a',
    app_key: `app_${String(count).padStart(24, 'k')}`,
    package_name: 'org.b',
    name: 'New',
  }),
  Placement: (count) => ({ app: 'app_a', code: `c${count}`, format: 'banner' }),
  Advertiser: (count) => ({ id: `adv_${count}`, name: 'New' }),
  Campaign: newCampaignFields,
  Creative: (count) => ({
    id: `cr_${count}`,
    campaign: 'cmp_a',
    format: 'banner',
    type: 'image',
    url: 'https://cdn.example.com/a.png',
    click_url: 'https://shop.example.com/',
  }),
};
const STABLE: Readonly<Record<string, string>> = {
  Publisher: 'pub_a',
  App: 'app_a',
  Placement: 'app_a/main',
  Advertiser: 'adv_a',
  Campaign: 'cmp_a',
  Creative: 'cr_a',
};
const CHANGES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Placement: { paused: true },
  Creative: { width: 320 },
};

/** The five operations of a kind of object. */
function objectParts(kind: string): Readonly<Record<string, MakeParts>> {
  const created = async (world: World): Promise<Parts> => {
    const body = NEW[kind]?.(world.next()) ?? {};
    const answer = await call(world, `create${kind}` as OperationId, { body });
    const id = kind === 'Placement' ? `app_a/${String(body['code'])}` : String(body['id']);
    return { ...atPath(id), headers: { 'If-Match': answer.headers.get('etag') ?? '' } };
  };
  return {
    [`list${kind}s`]: () => ({}),
    [`get${kind}`]: () => atPath(STABLE[kind] ?? ''),
    [`create${kind}`]: (world) => ({ body: NEW[kind]?.(world.next()) }),
    [`change${kind}`]: async (world) => ({
      ...(await created(world)),
      body: CHANGES[kind] ?? { name: 'Newer' },
    }),
    [`remove${kind}`]: created,
  };
}

async function newUser(world: World): Promise<{ readonly id: string; readonly name: string }> {
  const name = `user ${world.next()}`;
  const made = await jsonOf(call(world, 'createUser', { body: { name, role: 'adops', password: PASSWORD } }));
  return { id: String(made['id']), name };
}

/** A fresh user that is logged in. */
async function loggedIn(world: World) {
  const { id, name } = await newUser(world);
  const begun = await jsonOf(call(world, 'beginSession', { body: { name, password: PASSWORD } }));
  const token = String(begun['token']);
  return { id, token, headers: { Authorization: `Bearer ${token}` } };
}

/** The confirmation of a second factor that a fresh user has begun. */
async function begunTotp(world: World) {
  const { id, headers } = await loggedIn(world);
  const { address } = await jsonOf(call(world, 'beginTotp', { headers }));
  return { id, headers, body: { code: (URI.parse(String(address)) as TOTP).generate() } };
}

const atUser: MakeParts = async (world) => atPath((await newUser(world)).id);

const ACCESS: Readonly<Record<string, MakeParts>> = {
  readAudit: () => ({}),
  listKeys: () => ({}),
  createKey: () => ({ body: { name: 'laptop', role: 'publisher:pub_a' } }),
  revokeKey: async (world) => {
    const made = await jsonOf(call(world, 'createKey', { body: { name: 'old', role: 'admin' } }));
    return atPath((made['key'] as { readonly id: string }).id);
  },
  listUsers: () => ({}),
  createUser: (world) => ({ body: { name: `new ${world.next()}`, role: 'finance', password: PASSWORD } }),
  removeUser: atUser,
  setUserPassword: async (world) => ({ ...(await atUser(world)), body: { password: PASSWORD } }),
  removeUserTotp: async (world) => {
    const { id, ...confirmation } = await begunTotp(world);
    await call(world, 'confirmTotp', confirmation);
    return atPath(id);
  },
  beginSession: async (world) => ({ body: { name: (await newUser(world)).name, password: PASSWORD } }),
  endSession: async (world) => ({ body: { token: (await loggedIn(world)).token } }),
  getActor: () => ({}),
  setOwnPassword: async (world) => ({
    headers: (await loggedIn(world)).headers,
    body: { current: PASSWORD, password: `${PASSWORD} 2` },
  }),
  beginTotp: async (world) => ({ headers: (await loggedIn(world)).headers }),
  confirmTotp: async (world) => {
    const { headers, body } = await begunTotp(world);
    return { headers, body };
  },
};

const LEDGER: Readonly<Record<string, MakeParts>> = {
  depositFunds: (world) => MONEY(world, 'adv_a'),
  refundAdvertiser: (world) => MONEY(world, 'adv_a'),
  payPublisher: (world) => MONEY(world, 'pub_a'),
  closeMonth: (world) => ({
    path: { month: `${1980 + world.next()}-10` },
    body: { minimum_payout: '10' },
  }),
  listStatements: async (world) => {
    await call(world, 'closeMonth', { path: { month: '2026-10' }, body: {} });
    return { path: { month: '2026-10' } };
  },
  adjustAccount: (world) => ({
    body: { account: 'publisher:pub_a', amount: '1', reference: `ADJ${world.next()}`, reason: 'A mistake' },
  }),
  listBalances: () => ({}),
  getStatement: () => ({ query: { account: 'advertiser:adv_a', month: '2026-10' } }),
  verifyBooks: () => ({ query: { wait: true } }),
  verifyBookRows: () => ({}),
};

/** The address of a webhook is looked up, so it is an address of the documentation range and no name. */
const WEBHOOK = { name: 'pager', url: 'https://93.184.216.34/hook' };

const DELIVERY: Readonly<Record<string, MakeParts>> = {
  getHealth: () => ({}),
  listWebhooks: () => ({}),
  createWebhook: () => ({ body: WEBHOOK }),
  listWebhookKeys: () => ({}),
  removeWebhook: async (world) => {
    const made = await jsonOf(call(world, 'createWebhook', { body: WEBHOOK }));
    return atPath(String(made['id']));
  },
  listRewards: () => ({}),
  replayReward: () => atPath(REWARDED),
  forecastCampaign: () => ({ body: { campaign: 'cmp_a' } }),
  getReport: () => ({ query: { by: ['campaign'], compare: true } }),
  listSuspiciousEvents: () => ({}),
  explainCampaign: () => ({ ...atPath('cmp_a'), query: { by: 'hour' } }),
  explainRequest: () => atPath('018f0000-0000-7000-8000-000000000001'),
  tryRequest: () => ({ query: { app: 'app_a', placement: 'main' } }),
  traceRequest: () => atPath('018f0000-0000-7000-8000-000000000001'),
};

async function newCampaign(world: World, status: string): Promise<Parts> {
  const body = { ...newCampaignFields(world.next()), status };
  await call(world, 'createCampaign', { body });
  return atPath(body.id);
}

const OF_CATALOG: Readonly<Record<string, MakeParts>> = {
  applyCatalog: (world) => ({
    body: `advertisers: [{ id: adv_a, name: "Applied ${world.next()}" }]`,
    headers: {},
  }),
  validateCatalog: () => ({ body: CATALOG }),
  exportCatalog: () => ({}),
  showCatalogObject: () => ({ query: { id: 'app_a/main' } }),
  getGlobal: () => ({}),
  changeGlobal: async (world) => {
    const answer = await call(world, 'getGlobal', {});
    const { serving_enabled: isOn } = JSON.parse(answer.text) as { readonly serving_enabled: boolean };
    return { headers: { 'If-Match': answer.headers.get('etag') ?? '' }, body: { serving_enabled: !isOn } };
  },
  readCatalogHistory: () => ({}),
  revertCatalog: async (world) => {
    const body = `advertisers: [{ id: adv_a, name: "Reverted ${world.next()}" }]`;
    const { version } = await jsonOf(call(world, 'applyCatalog', { body }));
    return { body: { version } };
  },
  pauseCampaign: (world) => newCampaign(world, 'active'),
  resumeCampaign: (world) => newCampaign(world, 'paused'),
  endCampaign: (world) => newCampaign(world, 'active'),
};

const PARTS = {
  ...Object.fromEntries(Object.keys(NEW).flatMap((kind) => Object.entries(objectParts(kind)))),
  ...ACCESS,
  ...LEDGER,
  ...DELIVERY,
  ...OF_CATALOG,
} as Readonly<Record<OperationId, MakeParts>>;
