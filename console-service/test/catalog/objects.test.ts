import { loadText } from '@placard/service-kit/files';
import { expect } from 'chai';
import { answerOf, onceOnly, problemOf } from '../../src/cli/session.js';
import { EXAMPLE } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { ADMIN_KEY, makeApi } from '../support/manage-client.js';

type DocumentSchemas = Readonly<Record<string, { readonly required: readonly string[] }>>;

const { schemas } = (
  JSON.parse(loadText(import.meta.url, '../../openapi.json')) as {
    readonly components: { readonly schemas: DocumentSchemas };
  }
).components;
const SPRING = { path: { id: 'cmp_spring' } };
const NEW_CAMPAIGN = { id: 'cmp_autumn', advertiser: 'adv_northwind', name: 'Autumn', bid_cpm: '1.5' };

describe('the objects of the catalog in the management API', () => {
  let instance: TestConsole;
  beforeEach(async () => {
    instance = await openTestConsole();
    await instance.client.applyCatalog({ file: EXAMPLE, prune: false, onlyIfEmpty: false });
  });
  afterEach(() => instance.close());

  const apiOf = (key?: string) => makeApi(instance.ports.managePort, key);
  const ifMatch = (etag: string) => ({ header: { 'If-Match': etag } });
  const etagOf = async (): Promise<string> => {
    const { response } = await apiOf().GET('/campaigns/{id}', { params: SPRING });
    return response.headers.get('etag') ?? '';
  };
  const setBid = (etag: string, bid_cpm: string) =>
    apiOf().PATCH('/campaigns/{id}', { params: { ...SPRING, ...ifMatch(etag) }, body: { bid_cpm } });
  const bid = async (): Promise<string> =>
    (await answerOf(apiOf().GET('/campaigns/{id}', { params: SPRING }))).bid_cpm;
  const create = (body: typeof NEW_CAMPAIGN, header = onceOnly()) =>
    apiOf().POST('/campaigns', { params: { header }, body });
  const version = async (): Promise<number> => {
    const { rows } = await instance.db.pool.query<{ version: bigint }>('SELECT version FROM catalog.counter');
    return Number(rows[0]?.version);
  };

  it('have the members that the document names', async () => {
    const api = apiOf();
    const answers = {
      Publisher: api.GET('/publishers/{id}', { params: { path: { id: 'pub_sunrise' } } }),
      App: api.GET('/apps/{id}', { params: { path: { id: 'app_sunrise_puzzle' } } }),
      Placement: api.GET('/placements/{id}', { params: { path: { id: 'app_sunrise_puzzle/home_banner' } } }),
      Advertiser: api.GET('/advertisers/{id}', { params: { path: { id: 'adv_northwind' } } }),
      Campaign: api.GET('/campaigns/{id}', { params: SPRING }),
      Creative: api.GET('/creatives/{id}', { params: { path: { id: 'cr_spring_banner' } } }),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const { data, response } = await answer;
      expect(Object.keys(data ?? {}), name).to.have.members([...(schemas[name]?.required ?? [])]);
      expect(response.headers.get('etag'), name).to.equal('"2"');
    }
  });

  it('include the global kill switch, which is read and changed by itself', async () => {
    const read = await apiOf().GET('/global');
    expect(read.data).to.deep.include({ id: 'global', serving_enabled: true });
    const params = ifMatch(read.response.headers.get('etag') ?? '');
    const stop = () => apiOf().PATCH('/global', { params, body: { serving_enabled: false } });
    expect((await stop()).data?.changes).to.deep.equal([
      {
        change: 'updated',
        kind: 'global',
        id: 'global',
        details: ['serving_enabled: true → false'],
      },
    ]);
    expect((await answerOf(apiOf().GET('/global'))).serving_enabled).to.equal(false);
    const stale = await stop();
    expect(stale.response.status).to.equal(412);
    expect(problemOf(stale.error).errors?.[0]?.detail).to.include('serving_enabled: true → false');
    expect((await instance.client.exportCatalog()).file).to.include('serving_enabled: false');
  });

  it('are written with a warning when the balance of their advertiser is used up, until it pays in', async () => {
    await instance.db.pool.query(
      `INSERT INTO health.concern (key, kind, began_at, seen_at, last_row)
       VALUES ('low_balance advertiser adv_northwind', 'low_balance', now(), now(), $1)`,
      [JSON.stringify({ subject: 'adv_northwind', days_left: 0 })],
    );
    const setName = async (name: string) => {
      const params = { path: { id: 'adv_northwind' } };
      const etag = (await apiOf().GET('/advertisers/{id}', { params })).response.headers.get('etag') ?? '';
      const changed = apiOf().PATCH('/advertisers/{id}', {
        params: { ...params, ...ifMatch(etag) },
        body: { name },
      });
      return (await answerOf(changed)).warnings.join();
    };
    const warning = /advertiser\.balance: is used up, or will be within two hours/;
    expect((await setBid(await etagOf(), '3')).data?.warnings.join()).to.match(warning);
    expect(await setName('N')).to.match(warning);
    await instance.client.deposit({ advertiserId: 'adv_northwind', amount: '5', reference: 'INV-9' });
    expect(await setName('O')).to.equal('');
  });

  it('are created with the defaults of a catalog file, and recorded with their creator', async () => {
    const { data, response } = await create(NEW_CAMPAIGN);
    expect(response.status).to.equal(201);
    expect(data?.changes).to.deep.equal([
      { change: 'created', kind: 'campaign', id: 'cmp_autumn', details: [] },
    ]);
    expect(data?.warnings.join()).to.include('campaign.creatives');
    const params = { path: { id: 'cmp_autumn' } };
    const campaign = await answerOf(apiOf().GET('/campaigns/{id}', { params }));
    expect(campaign).to.include({ ...NEW_CAMPAIGN, bid_cpm: '1.50', status: 'active', version: 3 });
    const history = await answerOf(
      apiOf().GET('/catalog/history', { params: { query: { id: 'cmp_autumn' } } }),
    );
    expect(history.rows.map(({ change, actor }) => [change, actor.slice(0, 4)])).to.deep.equal([
      ['created', 'key_'],
    ]);
  });

  it('are created once, however often the call is repeated', async () => {
    const header = onceOnly();
    expect((await create(NEW_CAMPAIGN, header)).response.status).to.equal(201);
    expect((await create(NEW_CAMPAIGN, header)).response.status).to.equal(201);
    expect(await version()).to.equal(3);
    const { error, response } = await create(NEW_CAMPAIGN);
    expect(response.status).to.equal(409);
    expect(problemOf(error).detail).to.include('cmp_autumn');
    expect(await version()).to.equal(3);
  });

  it('are refused with each wrong field, and nothing is changed', async () => {
    const wrong = await create({ ...NEW_CAMPAIGN, advertiser: 'adv_none', bid_cpm: '-1' });
    expect(wrong.response.status).to.equal(422);
    expect(problemOf(wrong.error).errors?.map(({ field }) => field)).to.have.members([
      'advertiser',
      'bid_cpm',
    ]);
    const changed = await setBid(await etagOf(), '0');
    expect(changed.response.status).to.equal(422);
    expect(problemOf(changed.error).errors).to.deep.equal([
      { field: 'bid_cpm', detail: 'must be above zero' },
    ]);
    expect(await version()).to.equal(2);
  });

  it('keep the fields that a change leaves out, and null sets the default', async () => {
    const params = { ...SPRING, ...ifMatch(await etagOf()) };
    const { data, response } = await apiOf().PATCH('/campaigns/{id}', {
      params,
      body: { bid_cpm: '3', budget_daily: null, targeting: { formats: ['banner'] } },
    });
    expect(data?.changes[0]?.details).to.deep.equal([
      'bid_cpm: 2.50 → 3.00',
      'budget_daily: 20.00 → null',
      'targeting.formats: [] → [banner]',
    ]);
    expect(response.headers.get('etag')).to.equal('"3"');
    const campaign = await answerOf(apiOf().GET('/campaigns/{id}', { params: SPRING }));
    expect(campaign).to.include({ name: 'Spring sale', budget_total: '200.00' });
    const again = await setBid('"3"', '3.00');
    expect(again.data).to.include({ version: 3 }).and.to.have.deep.property('changes', []);
  });

  it('are not changed when another call has changed them since, and the answer says who', async () => {
    const etag = await etagOf();
    expect((await setBid(etag, '3')).response.status).to.equal(200);
    const { error, response } = await setBid(etag, '4');
    expect(response.status).to.equal(412);
    expect(problemOf(error).code).to.equal('precondition_failed');
    expect(problemOf(error).errors?.[0]?.detail).to.match(
      /^updated in version 3 at \S+Z by key_\S+ \(.+\) \(bid_cpm: 2\.50 → 3\.00\)$/,
    );
    expect(await bid()).to.equal('3.00');
  });

  it('are changed although something else has changed since', async () => {
    const etag = await etagOf();
    await create(NEW_CAMPAIGN);
    expect((await setBid(etag, '3')).response.status).to.equal(200);
  });

  it('are changed with their version only', async () => {
    const url = `http://127.0.0.1:${instance.ports.managePort}/manage/v1/campaigns/cmp_spring`;
    const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
    const answer = await fetch(url, { method: 'PATCH', headers, body: '{"bid_cpm":"3"}' });
    expect(answer.status).to.equal(428);
    expect(await bid()).to.equal('2.50');
    expect((await setBid('"99"', '3')).response.status).to.equal(422);
  });

  it('stay as they were read when a deposit is made', async () => {
    const path = { id: 'adv_northwind' };
    const { response } = await apiOf().GET('/advertisers/{id}', { params: { path } });
    await instance.client.deposit({ advertiserId: path.id, amount: '5', reference: 'INV9' });
    const params = { path, ...ifMatch(response.headers.get('etag') ?? '') };
    const changed = await apiOf().PATCH('/advertisers/{id}', { params, body: { name: 'Northwind AS' } });
    expect(changed.response.status).to.equal(200);
  });

  it('lose the approval of a creative with its content, as in a catalog file', async () => {
    const path = { id: 'cr_spring_banner' };
    const { data } = await apiOf().PATCH('/creatives/{id}', {
      params: { path, ...ifMatch('"2"') },
      body: { url: 'https://cdn.example.com/other.png' },
    });
    expect(data?.notes[0]).to.match(/^creative\.approved: is false now/);
    expect(await answerOf(apiOf().GET('/creatives/{id}', { params: { path } }))).to.include({
      approved: false,
    });
  });

  it('are removed with everything below them only when that is confirmed', async () => {
    const path = { id: 'adv_northwind' };
    const remove = (confirm: boolean) =>
      apiOf().DELETE('/advertisers/{id}', { params: { path, ...ifMatch('"2"'), query: { confirm } } });
    const refused = await remove(false);
    expect(refused.response.status).to.equal(409);
    expect(problemOf(refused.error).errors?.map(({ field }) => field)).to.deep.equal([
      'advertiser adv_northwind',
      'campaign cmp_spring',
      'creative cr_spring_banner',
    ]);
    expect(await version()).to.equal(2);
    const { data } = await remove(true);
    expect(data?.changes.map(({ change, id }) => `${change} ${id}`)).to.deep.equal([
      'removed adv_northwind',
      'removed cmp_spring',
      'removed cr_spring_banner',
    ]);
    expect((await apiOf().GET('/campaigns/{id}', { params: SPRING })).response.status).to.equal(404);
    expect((await setBid('"2"', '3')).response.status, 'it says who removed it').to.equal(412);
    expect((await setBid('"3"', '3')).response.status).to.equal(404);
  });

  it('of a tenant are all that it can read', async () => {
    await instance.client.applyCatalog({
      file: 'publishers: [{ id: pub_other, name: Other, revenue_share: 0.5 }]',
      prune: false,
      onlyIfEmpty: false,
    });
    const body = { name: 'sunrise', role: 'publisher:pub_sunrise' };
    const { text } = await answerOf(apiOf().POST('/keys', { params: { header: onceOnly() }, body }));
    const tenant = apiOf(text);
    const { rows } = await answerOf(tenant.GET('/publishers', {}));
    expect(rows.map(({ id }) => id)).to.deep.equal(['pub_sunrise']);
    expect((await answerOf(tenant.GET('/placements', {}))).rows.map(({ code }) => code)).to.deep.equal([
      'home_banner',
    ]);
    const other = { params: { path: { id: 'pub_other' } } };
    expect((await tenant.GET('/publishers/{id}', other)).response.status).to.equal(403);
    expect((await tenant.GET('/campaigns', {})).response.status).to.equal(403);
  });
});
