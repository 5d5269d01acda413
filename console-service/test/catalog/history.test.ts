import { codeOf } from '@placard/service-kit/testing';
import { asAdvertiserId, asCampaignId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { makeRevertVersion, type RevertVersion } from '../../src/history/usecase/revert-version.js';
import { makeSetCampaignStatus } from '../../src/catalog/usecase/set-campaign-status.js';
import { EXAMPLE } from '../support/catalog-text.js';
import { inWords } from '../support/judge.js';
import { openTestCatalog, type TestCatalog } from '../support/open-catalog.js';

describe('the history of the catalog', () => {
  let catalog: TestCatalog;
  let revert: (version: number, isConfirmed?: boolean) => ReturnType<RevertVersion>;
  beforeEach(async () => {
    catalog = await openTestCatalog();
    const revertVersion = makeRevertVersion(catalog);
    revert = (version, isConfirmed = false) => revertVersion({ version, isConfirmed, actor: 'carl' });
    await catalog.apply(EXAMPLE);
  });
  afterEach(() => catalog.close());

  const state = async (): Promise<unknown> => {
    const { objects } = await catalog.store.readAll();
    return [...objects].sort((left, right) =>
      `${left.kind} ${left.id}`.localeCompare(`${right.kind} ${right.id}`),
    );
  };
  const campaign = (fields: string, options = {}) =>
    catalog.apply(
      `advertisers: [{ id: adv_northwind, campaigns: [{ id: cmp_spring, ${fields} }] }]`,
      options,
    );

  it('has who changed what and when, before and after, newest first', async () => {
    catalog.clock.advance(1_000);
    await campaign('bid_cpm: 3', { actor: 'ben' });
    const { rows, next } = await catalog.store.history.read({ id: 'cmp_spring', after: null, rowsMax: 10 });
    expect(next).to.equal(null);
    expect(rows.map(({ version, actor, change, atMs }) => [version, actor, change, atMs])).to.deep.equal([
      [3, 'ben', 'updated', Date.UTC(2026, 4, 1, 12, 0, 1)],
      [2, 'anna', 'created', Date.UTC(2026, 4, 1, 12)],
    ]);
    expect(rows[0]?.before).to.have.property('bid_cpm', '2.50');
    expect(rows[0]?.after).to.have.property('bid_cpm', '3.00');
    expect(rows[1]?.before).to.equal(null);
  });

  it('of all objects is read page by page, and has neither deposits nor adjustments', async () => {
    const deposit = { reference: 'INV-1', advertiserId: asAdvertiserId('adv_northwind'), amountNanos: 1n };
    await catalog.store.inChange((transaction) =>
      transaction.publish({ changes: [], deposits: [deposit], actor: 'ben', atMs: 0 }),
    );
    const read = (after: number | null) => catalog.store.history.read({ id: null, after, rowsMax: 4 });
    const first = await read(null);
    const second = await read(first.next);
    expect([first.rows.length, second.rows.length, second.next]).to.deep.equal([4, 2, null]);
    expect([...first.rows, ...second.rows].map(({ id }) => id)).to.deep.equal([
      ...['cr_spring_banner', 'cmp_spring', 'adv_northwind'],
      ...['app_sunrise_puzzle/home_banner', 'app_sunrise_puzzle', 'pub_sunrise'],
    ]);
  });

  describe('when a version is reverted', () => {
    it('gets the state before it, as a new version, whatever it removed', async () => {
      const before = await state();
      await catalog.apply('publishers: []\nadvertisers: []', { isPruning: true, isConfirmed: true });
      const { isApplied, changes, version } = await revert(3);
      expect({ isApplied, version }).to.deep.equal({ isApplied: true, version: 4 });
      expect(inWords(changes)).to.have.length(6);
      expect(await state()).to.deep.equal(before);
      const { rows } = await catalog.store.history.read({ id: null, after: null, rowsMax: 1 });
      expect(rows[0]).to.deep.include({ version: 4, actor: 'carl', change: 'created' });
    });

    it('credits no opening balance a second time', async () => {
      await catalog.apply('advertisers: []', { isPruning: true, isConfirmed: true });
      await revert(3);
      const funded = await catalog.store.reads.readFunded(['adv_northwind']);
      expect(funded.get('adv_northwind')).to.equal(500_000_000_000n);
    });

    it('loses what it created, with what was added below it later', async () => {
      await catalog.apply(
        'advertisers: [{ id: adv_b, name: B, campaigns: [{ id: cmp_b, name: B, bid_cpm: 1 }] }]',
      );
      const creative =
        '{ id: cr_b, format: banner, type: image, url: "https://a.example/b.png", click_url: "https://a.example" }';
      await catalog.apply(
        `advertisers: [{ id: adv_b, campaigns: [{ id: cmp_b, creatives: [${creative}] }] }]`,
        {
          actor: 'ben',
        },
      );
      const refused = await revert(3);
      expect(refused.isApplied).to.equal(false);
      expect(refused.conflicts.map(({ id, actor }) => [id, actor])).to.deep.equal([['cr_b', 'ben']]);
      expect(await catalog.store.readVersion()).to.equal(4);
      const { changes } = await revert(3, true);
      expect(inWords(changes)).to.deep.equal([
        'removed advertiser adv_b',
        'removed campaign cmp_b',
        'removed creative cr_b',
      ]);
    });

    it('gets the old values of the fields that it changed, and keeps later changes of others', async () => {
      await campaign('bid_cpm: 3');
      await campaign('name: Summer', { actor: 'ben' });
      const refused = await revert(3);
      expect(refused.isApplied).to.equal(false);
      expect(refused.conflicts.map(({ version, actor, id }) => [version, actor, id])).to.deep.equal([
        [4, 'ben', 'cmp_spring'],
      ]);
      const { changes } = await revert(3, true);
      expect(changes.map(({ details }) => details)).to.deep.equal([['bid_cpm: 3.00 → 2.50']]);
      expect(changes[0]?.after).to.have.property('name', 'Summer');
    });

    it('changes nothing when that is undone already, and can be reverted itself', async () => {
      await campaign('bid_cpm: 3');
      await revert(3);
      expect(await revert(3)).to.deep.include({ isApplied: false, changes: [], conflicts: [], version: 4 });
      expect((await revert(4)).changes[0]?.details).to.deep.equal(['bid_cpm: 2.50 → 3.00']);
    });

    it('needs a confirmation to remove more than five objects', async () => {
      const before = await state();
      expect(await revert(2)).to.deep.include({ isApplied: false, conflicts: [], faults: [] });
      expect(await state()).to.deep.equal(before);
      expect(await revert(2, true)).to.deep.include({ isApplied: true });
    });

    it('is refused when it changed no object, or does not exist', async () => {
      for (const version of [1, 99]) expect(await codeOf(revert(version))).to.equal('not_found');
    });
  });

  describe('when the status of a campaign is set', () => {
    const set = (status: 'active' | 'paused' | 'ended', id = 'cmp_spring') =>
      makeSetCampaignStatus(catalog)({ campaignId: asCampaignId(id), status, actor: 'ben' });

    it('has the change, and nothing when the campaign has that status', async () => {
      expect((await set('paused')).change?.details).to.deep.equal(['status: active → paused']);
      expect(await set('paused')).to.deep.equal({ change: null, version: 3 });
      expect((await set('active')).version).to.equal(4);
      const { rows } = await catalog.store.history.read({ id: 'cmp_spring', after: null, rowsMax: 1 });
      expect(rows[0]).to.deep.include({ version: 4, actor: 'ben', change: 'updated' });
    });

    it('refuses an unknown campaign, and one that has ended', async () => {
      expect(await codeOf(set('paused', 'cmp_x'))).to.equal('not_found');
      await set('ended');
      expect(await codeOf(set('active'))).to.equal('conflict');
      expect(await codeOf(set('paused'))).to.equal('conflict');
      expect(await set('ended')).to.have.property('change', null);
    });
  });

  it('keeps an approval out of a creative that nobody has reviewed', async () => {
    const creative = (fields: string) => campaign(`creatives: [{ id: cr_spring_banner, ${fields} }]`);
    await creative('url: "https://cdn.example.com/b.png"');
    expect((await revert(3)).changes[0]?.after, 'all as it was').to.have.property('approved', true);
    await creative('url: "https://cdn.example.com/b.png"');
    await creative('click_url: "https://shop.example.com/b", approved: true');
    expect((await revert(5, true)).changes[0]?.after, 'half as it was').to.have.property('approved', false);
  });
});
