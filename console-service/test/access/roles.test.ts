import { loadText } from '@placard/service-kit/files';
import { reportKeyOnWire } from '@placard/service-kit/wire';
import { expect } from 'chai';
import { TENANT_ROLES, type Role } from '../../src/access/domain/actor.js';
import { ROLE_KINDS } from '../../src/access/domain/role.js';
import {
  endpointsOf,
  isDecided,
  type ApiDocument,
  type Endpoint,
  type Parameter,
} from '../../src/manage/domain/api-document.js';
import { answerOf, onceOnly } from '../../src/cli/session.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { makeApi } from '../support/manage-client.js';

const ENDPOINTS = endpointsOf(JSON.parse(loadText(import.meta.url, '../../openapi.json')) as ApiDocument);
const OPEN = ['beginSession'];
const SIDES = ['own', 'other'] as const;
const CATALOG = JSON.stringify({
  publishers: SIDES.map((side) => ({
    id: `pub_${side}`,
    name: side,
    revenue_share: 0.5,
    apps: [
      {
        id: `app_${side}`,
        app_key: `app_${side.padEnd(24, 'x')}`,
        name: side,
        package_name: `org.${side}`,
        placements: [{ code: 'main', format: 'banner' }],
      },
    ],
  })),
  advertisers: SIDES.map((side) => ({
    id: `adv_${side}`,
    name: side,
    campaigns: [
      {
        id: `cmp_${side}`,
        name: side,
        bid_cpm: 1,
        creatives: [
          {
            id: `cr_${side}`,
            format: 'banner',
            type: 'image',
            url: 'https://cdn.example.com/a.png',
            click_url: 'https://shop.example.com/',
          },
        ],
      },
    ],
  })),
});

/** What a parameter can name, and the kind of tenant that owns it. */
const OWNER_KINDS: Readonly<Record<string, 'publisher' | 'advertiser'>> = {
  publisher: 'publisher',
  app: 'publisher',
  placement: 'publisher',
  reward: 'publisher',
  advertiser: 'advertiser',
  campaign: 'advertiser',
  creative: 'advertiser',
};
const PREFIXES: Readonly<Record<string, string>> = {
  publisher: 'pub',
  app: 'app',
  advertiser: 'adv',
  campaign: 'cmp',
  creative: 'cr',
};

/** The value of a parameter that names something of a side. */
function idOf(named: string, kind: 'publisher' | 'advertiser', side: string): string {
  if (named === 'placement') return `app_${side}/main`;
  return named === 'account'
    ? `${kind}:${PREFIXES[kind] ?? ''}_${side}`
    : `${PREFIXES[named] ?? named}_${side}`;
}

/** Calls every operation that the document has, so that a new one is judged as well. */
describe('the operations of the management API', () => {
  let instance: TestConsole;
  const texts = new Map<Role['kind'], string>();
  before(async () => {
    instance = await openTestConsole();
    const applied = await instance.client.applyCatalog({ file: CATALOG, prune: false, onlyIfEmpty: false });
    expect(applied.faults).to.deep.equal([]);
    for (const side of SIDES)
      await instance.db.pool.query(
        `INSERT INTO rewards.callback
           (request_id, publisher_id, app_id, placement, item, amount, is_test, rewarded_at, stored_at, round_at)
         VALUES ($1, $2, $3, 'main', 'coins', 5, false, now(), now(), now())`,
        [idOf('reward', 'publisher', side), `pub_${side}`, `app_${side}`],
      );
    const admin = makeApi(instance.ports.managePort);
    for (const kind of ROLE_KINDS) {
      const isTenant = kind === 'publisher' || kind === 'advertiser';
      const body = { name: kind, role: isTenant ? idOf('account', kind, 'own') : kind };
      texts.set(kind, (await answerOf(admin.POST('/keys', { params: { header: onceOnly() }, body }))).text);
    }
  });
  after(() => instance.close());

  /** Sends a request without a body. Answers the status. A parameter of the path without a value is `x`. */
  const call = async (
    { method, path, parameters }: Endpoint,
    text: string | null,
    values: Readonly<Record<string, string>> = {},
  ): Promise<number> => {
    const inQuery = parameters.filter((each) => each.in === 'query' && values[each.name] !== undefined);
    const query = new URLSearchParams(
      inQuery.map(({ name }): [string, string] => [name, values[name] ?? '']),
    );
    const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? 'x'));
    const url = `http://127.0.0.1:${instance.ports.managePort}/manage/v1${filled}?${query.toString()}`;
    const headers = text === null ? undefined : { Authorization: `Bearer ${text}` };
    const answer = await fetch(url, {
      method: method.toUpperCase(),
      ...(headers === undefined ? {} : { headers }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const textOf = (kind: Role['kind']): string => texts.get(kind) ?? '';

  it('answer a tenant that names nothing with its own rows only', async () => {
    const report = ENDPOINTS.find(({ operationId }) => operationId === 'getReport')!;
    for (const [kind, id] of [
      ['publisher', 'pub_own'],
      ['advertiser', 'adv_own'],
    ] as const) {
      instance.events.reports.length = 0;
      expect(await call(report, textOf(kind))).to.equal(200);
      for (const { filters } of instance.events.reports)
        expect(filters.map(({ key, values }) => [reportKeyOnWire.fromWire(key), values])).to.deep.equal([
          [kind, [id]],
        ]);
      expect(instance.events.reports).to.have.length.above(0);
    }
  });

  for (const endpoint of ENDPOINTS) {
    const { operationId, roles, isOpen } = endpoint;

    it(`${operationId} has roles, and limits a tenant that may call it`, () => {
      expect(isOpen, 'needs no key').to.equal(OPEN.includes(operationId));
      expect(roles.length > 0, 'has roles').to.equal(!isOpen);
      for (const kind of ROLE_KINDS) expect(isDecided(endpoint, kind), kind).to.equal(true);
    });

    if (isOpen) continue;
    it(`${operationId} answers nobody without a key`, async () => {
      expect(await call(endpoint, null)).to.equal(401);
    });

    for (const kind of ROLE_KINDS.filter((each) => !roles.includes(each)))
      it(`${operationId} is refused to the role ${kind}`, async () => {
        expect(await call(endpoint, textOf(kind))).to.equal(403);
      });

    for (const kind of roles.filter((each) => !TENANT_ROLES.some((tenant) => tenant === each)))
      it(`${operationId} is not refused to the role ${kind}`, async () => {
        expect(await call(endpoint, textOf(kind))).not.to.be.oneOf([401, 403]);
      });

    const named = endpoint.parameters.filter((parameter) => parameter['x-owner'] !== undefined);
    for (const kind of TENANT_ROLES.filter((each) => roles.includes(each) && named.length > 0)) {
      const valueOf = ({ 'x-owner': what = '' }: Parameter, side: string): string => idOf(what, kind, side);
      const isOwn = ({ 'x-owner': what = '' }: Parameter): boolean => (OWNER_KINDS[what] ?? kind) === kind;
      const own = Object.fromEntries(
        named.filter(isOwn).map((parameter) => [parameter.name, valueOf(parameter, 'own')]),
      );

      it(`${operationId} is not refused to the role ${kind} for its own`, async () => {
        expect(await call(endpoint, textOf(kind), own)).not.to.be.oneOf([401, 403]);
      });

      for (const parameter of named)
        it(`${operationId} is refused to the role ${kind} when ${parameter.name} is not its own`, async () => {
          for (const side of isOwn(parameter) ? ['other', 'none'] : ['own', 'other', 'none']) {
            const values = { ...own, [parameter.name]: valueOf(parameter, side) };
            expect(await call(endpoint, textOf(kind), values), side).to.equal(403);
          }
        });
    }
  }
});
