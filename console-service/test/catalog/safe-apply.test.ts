import { asAdvertiserId, asOwnerId } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { makePgTransferStore } from '../../src/accounts/store/transfers.pg.js';
import { exampleWith, SECOND_ADVERTISER, TWO_ADVERTISERS } from '../support/catalog-text.js';
import { inWords } from '../support/judge.js';
import { openTestCatalog, type TestCatalog } from '../support/open-catalog.js';

describe('applying a file to the stored catalog', () => {
  let catalog: TestCatalog;
  beforeEach(async () => {
    catalog = await openTestCatalog();
    await catalog.apply(TWO_ADVERTISERS);
  });
  afterEach(() => catalog.close());

  const idsOf = async (): Promise<string[]> => {
    const { objects } = await catalog.store.readAll();
    return objects.map(({ id }) => id).sort();
  };

  it('as a dry run shows what it would change, and changes nothing', async () => {
    const before = await idsOf();
    const text = exampleWith('bid_cpm: 2.50', 'bid_cpm: 3');
    const dry = await catalog.apply(text, { isDryRun: true });
    expect(dry).to.deep.include({ version: 2, refusal: null, faults: [] });
    expect(inWords(dry.changes)).to.deep.equal(['updated campaign cmp_spring']);
    expect(await idsOf()).to.deep.equal(before);
    expect(await catalog.store.readVersion()).to.equal(2);
    expect(inWords((await catalog.apply(text)).changes)).to.deep.equal(inWords(dry.changes));
  });

  it('removes no object outside the parents that the file lists without a confirmation', async () => {
    const before = await idsOf();
    const refused = await catalog.apply(SECOND_ADVERTISER, { isPruning: true });
    expect(refused.refusal).to.deep.equal({
      kind: 'unconfirmed',
      removals: { removedCount: 4, outsideCount: 3 },
    });
    expect(inWords(refused.changes), 'a preview').to.have.length(4);
    expect(await idsOf()).to.deep.equal(before);
    const made = await catalog.apply(SECOND_ADVERTISER, { isPruning: true, isConfirmed: true });
    expect(made).to.deep.include({ refusal: null, version: 3, changes: refused.changes });
    expect(await idsOf()).to.not.include('cmp_spring');
  });

  it('removes a few objects below the parents that the file lists without a confirmation', async () => {
    const text = 'advertisers: [{ id: adv_northwind }, { id: adv_fjord, campaigns: [] }]';
    const { refusal, changes } = await catalog.apply(text, { isPruning: true });
    expect(refusal).to.equal(null);
    expect(inWords(changes)).to.deep.equal(['removed campaign cmp_fjord_banner']);
  });

  it('refuses a file that is based on an older version, and shows who changed what since', async () => {
    await catalog.apply(exampleWith('bid_cpm: 2.50', 'bid_cpm: 3'), { actor: 'ben' });
    const stale = await catalog.apply(exampleWith('bid_cpm: 2.50', 'bid_cpm: 1'), { ifVersion: 2 });
    expect(stale.changes).to.deep.equal([]);
    expect(stale.refusal).to.have.property('kind', 'stale');
    const since = stale.refusal?.kind === 'stale' ? stale.refusal.since : [];
    expect(since.map(({ version, actor, id, change }) => [version, actor, id, change])).to.deep.equal([
      [3, 'ben', 'cmp_spring', 'updated'],
    ]);
    expect(await catalog.store.readVersion()).to.equal(3);
    const fresh = await catalog.apply(exampleWith('bid_cpm: 2.50', 'bid_cpm: 1'), { ifVersion: 3 });
    expect(fresh).to.deep.include({ refusal: null, version: 4 });
  });

  it('is not stale after a deposit, which changes no object', async () => {
    const deposit = { reference: 'INV-1', advertiserId: asAdvertiserId('adv_fjord'), amountNanos: 1n };
    await catalog.store.inChange((transaction) =>
      transaction.publish({ changes: [], deposits: [deposit], actor: 'ben', atMs: 0 }),
    );
    expect((await catalog.apply(TWO_ADVERTISERS, { ifVersion: 2 })).refusal).to.equal(null);
  });

  it('refuses a version that does not exist yet', async () => {
    expect(await codeOf(catalog.apply(TWO_ADVERTISERS, { ifVersion: 3 }))).to.equal('invalid_argument');
  });

  it('warns of what cannot deliver, together with what is stored', async () => {
    const text = (fields: string) => `advertisers: [{ id: adv_fjord, campaigns: [{ ${fields} }] }]`;
    const warn = async (fields: string) => (await catalog.apply(text(fields), { isDryRun: true })).warnings;
    const path = 'advertisers[0].campaigns[0]';
    const none = `${path}.creatives: has none, so the campaign never delivers`;
    expect(await warn('id: cmp_fjord_banner, bid_cpm: 2')).to.deep.equal([none]);
    expect(await warn('id: cmp_fjord_baner, name: B, bid_cpm: 2')).to.deep.equal([
      `${path}.id: cmp_fjord_baner is new and looks like the stored campaign cmp_fjord_banner`,
      none,
    ]);
    expect(
      await warn('id: cmp_fjord_banner, targeting: { app_ids: [app_sunrise_puzzle, app_x] }'),
    ).to.deep.equal([
      `${path}.targeting.app_ids: app_x is not in the catalog, so no request matches it`,
      none,
    ]);
  });

  it('warns of an advertiser without money only while nothing is paid in', async () => {
    const text = 'advertisers: [{ id: adv_new, name: New, approved: true, campaigns: [] }]';
    expect((await catalog.apply(text)).warnings).to.have.length(1);
    const deposit = { reference: 'INV-1', advertiserId: asAdvertiserId('adv_new'), amountNanos: 1n };
    await catalog.store.inChange((transaction) =>
      transaction.publish({ changes: [], deposits: [deposit], actor: 'ben', atMs: 0 }),
    );
    expect((await catalog.apply(text)).warnings).to.deep.equal([]);
    const account = { kind: 'advertiser', id: asOwnerId('adv_new') } as const;
    const transfer = { kind: 'refund', reference: 'REF-1', account, amountNanos: 1n } as const;
    await makePgTransferStore(catalog.pool).add({ transfer, actor: 'ben', atMs: 0 });
    expect((await catalog.apply(text)).warnings, 'all of it is refunded').to.have.length(1);
  });

  it('examines no file with more than 5,000 objects for warnings, and says so', async () => {
    const publishers = Array.from(
      { length: 5_001 },
      (_, index) => `{ id: pub_${index}, name: P, revenue_share: 0 }`,
    );
    const { warnings, changes } = await catalog.apply(`publishers: [${publishers.join(', ')}]`, {
      isDryRun: true,
    });
    expect(changes).to.have.length(5_001);
    expect(warnings).to.deep.equal([
      'file: has more than 5000 objects and is not examined for what cannot deliver',
    ]);
  });
});
