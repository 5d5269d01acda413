import { expect } from 'chai';
import { problemOf, onceOnly } from '../../src/cli/session.js';
import type { Schemas } from '../../src/manage/domain/operations.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { makeApi } from '../support/manage-client.js';
import { rewardedCatalog } from '../support/rewarded-catalog.js';

const PUBLIC = 'https://game.example.com/rewards';
const PRIVATE = 'https://intranet.example.com/rewards';
const AT_A = 'publishers[0].apps[0].placements[0].reward.callback_url';
const REFUSED = 'is refused. The host of the address is in a private or reserved network.';

/** Hosts and their addresses. A test may move one. */
const addresses: Record<string, string> = {};

describe('the addresses of reward callbacks in the catalog', () => {
  let instance: TestConsole;
  const lookedUp: string[] = [];
  beforeEach(async () => {
    Object.assign(addresses, {
      'game.example.com': '93.184.216.34',
      'other.example.com': '93.184.216.35',
      'intranet.example.com': '10.0.0.1',
    });
    lookedUp.length = 0;
    instance = await openTestConsole({
      resolve: (host) => {
        lookedUp.push(host);
        const address = addresses[host];
        return Promise.resolve(address === undefined ? [] : [address]);
      },
    });
  });
  afterEach(() => instance.close());

  const apply = async (url: string, otherUrl = PUBLIC): Promise<readonly string[]> => {
    const file = rewardedCatalog(url, otherUrl);
    const applied = await instance.client.applyCatalog({ file, prune: false, onlyIfEmpty: false });
    return applied.faults;
  };
  const api = () => makeApi(instance.ports.managePort);
  const rewardAt = (callback_url: string) => ({ item: 'coins', amount: 5, callback_url });
  const errorsOf = async (call: Promise<{ readonly error?: unknown }>) =>
    problemOf((await call).error).errors;
  const create = (url: string) =>
    api().POST('/placements', {
      params: { header: onceOnly() },
      body: { code: 'second', app: 'app_a', format: 'rewarded', reward: rewardAt(url) },
    });
  const changeTo = async (body: Schemas['PlacementChange']) => {
    const path = { id: 'app_a/video' };
    const { response } = await api().GET('/placements/{id}', { params: { path } });
    const header = { 'If-Match': response.headers.get('etag') ?? '' };
    return api().PATCH('/placements/{id}', { params: { path, header }, body });
  };
  const change = (url: string) => changeTo({ reward: rewardAt(url) });

  it('are refused in a private network when a file is applied, with their place, and nothing is changed', async () => {
    expect(await apply(PRIVATE)).to.deep.equal([`${AT_A}: ${REFUSED}`]);
    expect((await instance.client.exportCatalog()).file).not.to.contain('callback_url');
  });

  it('are refused when their host is not known', async () => {
    const [fault] = await apply('https://nowhere.example.com/');
    expect(fault).to.equal(`${AT_A}: is refused. The host of the address cannot be resolved.`);
  });

  it('are refused when the xn-- form of their host stands for no name', async () => {
    const faults = await apply('https://xn--a.example/');
    expect(faults).to.have.length(1);
    expect(faults[0]).to.contain(AT_A);
  });

  it('are refused in a private network when a placement is created or changed by itself', async () => {
    expect(await apply(PUBLIC)).to.deep.equal([]);
    const errors = [{ field: 'reward.callback_url', detail: REFUSED }];
    expect(await errorsOf(create(PRIVATE))).to.deep.equal(errors);
    expect(await errorsOf(change(PRIVATE))).to.deep.equal(errors);
    expect((await create(PUBLIC)).response.status).to.equal(201);
    expect((await change(`${PUBLIC}/2`)).response.status).to.equal(200);
  });

  it('are looked up once for each host, and not again while they stay as they are', async () => {
    expect(await apply(PUBLIC)).to.deep.equal([]);
    expect(lookedUp).to.deep.equal(['game.example.com']);
    addresses['game.example.com'] = '10.0.0.1';
    expect(await apply(PUBLIC)).to.deep.equal([]);
    expect(lookedUp).to.deep.equal(['game.example.com']);
    expect(await apply(`${PUBLIC}/2`)).to.deep.equal([`${AT_A}: ${REFUSED}`]);
  });

  it('are refused in a private network when a revert would bring them back', async () => {
    expect(await apply(PUBLIC)).to.deep.equal([]);
    const { data } = await change('https://other.example.com/rewards');
    addresses['game.example.com'] = '10.0.0.1';
    const revert = () => api().POST('/catalog/revert', { body: { version: data?.version ?? 0 } });
    expect(await errorsOf(revert())).to.deep.equal([
      { field: 'placement app_a/video.reward.callback_url', detail: REFUSED },
    ]);
    addresses['game.example.com'] = '93.184.216.34';
    expect((await revert()).response.status).to.equal(200);
    expect((await instance.client.exportCatalog()).file).to.contain(PUBLIC);
  });

  it('are not looked up when a revert leaves them alone', async () => {
    expect(await apply(PUBLIC)).to.deep.equal([]);
    const paused = await changeTo({ paused: true });
    await change('https://other.example.com/rewards');
    addresses['game.example.com'] = '10.0.0.1';
    const body = { version: paused.data?.version ?? 0, confirm: true };
    expect((await api().POST('/catalog/revert', { body })).response.status).to.equal(200);
    const { file } = await instance.client.exportCatalog();
    expect(file).to.contain('https://other.example.com/rewards').and.not.to.contain('paused: true');
  });

  it('may name 100 new hosts in one change', async () => {
    const hosts = Array.from({ length: 101 }, (_, n) => `h${n}.example.com`);
    for (const host of hosts) addresses[host] = '93.184.216.34';
    const placements = hosts.map((host, n) => ({
      code: `video_${n}`,
      format: 'rewarded',
      reward: rewardAt(`https://${host}/`),
    }));
    expect(await apply(PUBLIC)).to.deep.equal([]);
    const file = (count: number) =>
      JSON.stringify({
        publishers: [{ id: 'pub_a', apps: [{ id: 'app_a', placements: placements.slice(0, count) }] }],
      });
    const applyFile = async (count: number) =>
      (await instance.client.applyCatalog({ file: file(count), prune: false, onlyIfEmpty: false })).faults;
    expect(await applyFile(101)).to.deep.equal([
      'file: has callbacks at 101 new hosts, and one change may have 100; split it',
    ]);
    expect(await applyFile(100)).to.deep.equal([]);
  });

  it('are exported so that the file can be applied again', async () => {
    expect(await apply(PUBLIC)).to.deep.equal([]);
    const { file } = await instance.client.exportCatalog();
    expect(file).to.contain(`callback_url: "${PUBLIC}"`);
    const again = await instance.client.applyCatalog({ file, prune: false, onlyIfEmpty: false });
    expect(again).to.deep.include({ faults: [], changes: [] });
  });

  it('are shown in the changes of a placement', async () => {
    expect(await apply(PUBLIC)).to.deep.equal([]);
    const { data } = await change(`${PUBLIC}/2`);
    expect(data?.changes).to.deep.equal([
      {
        change: 'updated',
        kind: 'placement',
        id: 'app_a/video',
        details: [`reward: 50 coins, to ${PUBLIC} → 5 coins, to ${PUBLIC}/2`],
      },
    ]);
  });
});
