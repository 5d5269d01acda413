import { ReportKey } from '@placard/protos/events/v1/events.js';
import { toAppError } from '@placard/service-kit';
import { toIso } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { EXAMPLE, exampleWith, minimalAdvertiser } from './support/catalog-text.js';
import { openTestConsole, type TestConsole } from './support/console.js';
import { AS_OF_MS } from './support/fake-events.js';
import { inWords } from './support/judge.js';
import type { ManageClient } from './support/manage-client.js';

const HOUR_MS = 3_600_000;

describe('console-service', () => {
  let instance: TestConsole;
  let client: ManageClient;
  const apply = (file: string, options: { prune?: boolean; onlyIfEmpty?: boolean } = {}) =>
    client.applyCatalog({ file, prune: options.prune ?? false, onlyIfEmpty: options.onlyIfEmpty ?? false });
  const deposit = (amount: string, reference: string, advertiserId = 'adv_northwind') =>
    client.deposit({ advertiserId, amount, reference });
  const exported = async () => (await client.exportCatalog()).file;
  const balanceOf = async (id: string) =>
    (await client.getBalances()).accounts.find((account) => account.id === id)?.balanceNanos;

  beforeEach(async () => {
    instance = await openTestConsole();
    client = instance.client;
  });
  afterEach(() => instance.close());

  describe('applying a catalog', () => {
    it('creates the objects of a file and reports them; the same file again changes nothing', async () => {
      const first = await apply(EXAMPLE);
      expect(first.faults).to.deep.equal([]);
      expect(first.version).to.equal(2);
      expect(inWords(first.changes as never)).to.deep.equal([
        'created publisher pub_sunrise',
        'created app app_sunrise_puzzle',
        'created placement app_sunrise_puzzle/home_banner',
        'created advertiser adv_northwind',
        'created campaign cmp_spring',
        'created creative cr_spring_banner',
      ]);
      expect(await apply(EXAMPLE)).to.deep.equal({ faults: [], changes: [], notes: [], version: 2 });
    });

    it('reads YAML of any size, and answers other calls meanwhile', async () => {
      const comments = `#${' '.repeat(98)}\n`.repeat(90_000);
      let answers = 0;
      const applying = apply(comments + exampleWith('bid_cpm: 2.50', 'bid_cpm: .5'));
      for (let isOver = false; !isOver; answers += 1) {
        const balances = client.getBalances().then(() => false);
        isOver = (await Promise.all([balances, Promise.race([applying.then(() => true), balances])]))[1];
      }
      expect((await applying).faults).to.deep.equal([]);
      expect(await exported()).to.contain('bid_cpm: "0.50"');
      expect(answers).to.be.above(2);
    });

    it('answers an update with the fields that changed', async () => {
      await apply(EXAMPLE);
      const { changes } = await apply(exampleWith('bid_cpm: 2.50', 'bid_cpm: 3'));
      expect(changes).to.deep.equal([
        { action: 'updated', kind: 'campaign', id: 'cmp_spring', details: ['bid_cpm: 2.50 → 3.00'] },
      ]);
    });

    it('changes nothing when the file has a fault', async () => {
      const before = await exported();
      const { faults, changes } = await apply(exampleWith('width: 320', 'width: wide'));
      expect(faults).to.deep.equal([
        'advertisers[0].campaigns[0].creatives[0].width: must be a whole number from 1 to 20000',
      ]);
      expect(changes).to.deep.equal([]);
      expect(await exported()).to.equal(before);
      expect(instance.events.booked.size).to.equal(0);
    });

    it('exports a file that apply accepts without a change, also after a removal', async () => {
      await apply(EXAMPLE);
      expect((await apply(await exported(), { prune: true })).changes).to.deep.equal([]);
      await apply('publishers: []', { prune: true });
      const file = await exported();
      expect(file).to.contain('publishers: []');
      expect((await apply(file, { prune: true })).changes).to.deep.equal([]);
    });

    it('exports texts that YAML could misread so that they stay texts', async () => {
      for (const name of [
        'NO',
        'null',
        '12',
        '1e3',
        '- a',
        'a: b',
        '#1',
        '"',
        "it's",
        ' x',
        'é 日本 🎈',
        '{}',
      ]) {
        await apply(minimalAdvertiser().replace('    name: A', `    name: ${JSON.stringify(name)}`));
        expect((await apply(await exported())).changes, name).to.deep.equal([]);
      }
    });

    it('applies the demo catalog only when there was never any other', async () => {
      await apply(EXAMPLE, { onlyIfEmpty: true });
      await apply('publishers: []\nadvertisers: []', { prune: true });
      expect((await apply(EXAMPLE, { onlyIfEmpty: true })).changes).to.deep.equal([]);
    });

    it('creates a removed object again, also under another parent', async () => {
      await apply(EXAMPLE);
      await apply('advertisers: [{ id: adv_northwind, campaigns: [] }]', { prune: true });
      const { faults, changes } = await apply(
        'advertisers: [{ id: adv_b, name: B, campaigns: [{ id: cmp_spring, name: S, bid_cpm: 1 }] }]',
      );
      expect(faults).to.deep.equal([]);
      expect(inWords(changes as never)).to.deep.equal([
        'created advertiser adv_b',
        'created campaign cmp_spring',
      ]);
      expect(await exported()).to.not.contain('budget_daily: "20.00"');
    });

    it('lets two apps exchange their keys in one apply', async () => {
      const app = (id: string, key: string) =>
        `{ id: ${id}, app_key: app_${key.repeat(24)}, package_name: com.a, name: A }`;
      const file = (first: string, second: string) =>
        `publishers: [{ id: pub_a, name: A, revenue_share: 0, apps: [${app('app_a', first)}, ${app('app_b', second)}] }]`;
      await apply(file('a', 'b'));
      expect((await apply(file('b', 'a'))).changes).to.have.length(2);
    });

    it('adds a row to the audit for every change', async () => {
      await apply(EXAMPLE);
      await apply(exampleWith('bid_cpm: 2.50', 'bid_cpm: 3'));
      const { rows } = await instance.db.pool.query(
        "SELECT version, actor, action, before ->> 'bid_cpm' AS was, after ->> 'bid_cpm' AS is FROM audit.changes WHERE kind = 'campaign' ORDER BY id",
      );
      expect(rows).to.deep.equal([
        { version: 2n, actor: `key_${'0'.repeat(16)} (bootstrap)`, action: 'created', was: null, is: '2.50' },
        {
          version: 3n,
          actor: `key_${'0'.repeat(16)} (bootstrap)`,
          action: 'updated',
          was: '2.50',
          is: '3.00',
        },
      ]);
    });

    it('accepts 5,000 campaigns at once', async () => {
      const campaigns = Array.from({ length: 5_000 }, (_, index) => ({
        id: `cmp_${index}`,
        name: 'A',
        bid_cpm: 1.5,
      }));
      const file = JSON.stringify({ advertisers: [{ id: 'adv_a', name: 'A', campaigns }] });
      expect((await apply(file)).changes).to.have.length(5_001);
      expect((await apply(file)).changes).to.deep.equal([]);
    });
  });

  describe('the opening balance', () => {
    it('is credited once, also when the advertiser is removed and created again', async () => {
      await apply(EXAMPLE);
      expect(await balanceOf('adv_northwind')).to.equal(500_000_000_000n);
      await apply('advertisers: []', { prune: true });
      const { notes } = await apply(exampleWith('balance: 500.00', 'balance: 700'));
      expect(notes).to.deep.equal(['advertisers[0].balance: was credited before and is not credited again']);
      expect(await balanceOf('adv_northwind')).to.equal(500_000_000_000n);
      expect([...instance.events.booked.keys()]).to.deep.equal(['opening:adv_northwind']);
    });

    it('is not credited by a later file; export writes its first value', async () => {
      await apply(EXAMPLE);
      const { changes, notes } = await apply(exampleWith('balance: 500.00', 'balance: 900'));
      expect(changes).to.deep.equal([]);
      expect(notes).to.have.length(1);
      expect(await exported()).to.contain('balance: "500.00"');
      expect(await balanceOf('adv_northwind')).to.equal(500_000_000_000n);
    });
  });

  describe('a deposit', () => {
    beforeEach(() => apply(EXAMPLE));

    it('raises the funds at the readers and in the ledger', async () => {
      const watch = instance.watch(2);
      expect(await deposit('250.00', 'INV-7')).to.deep.equal({ isNew: true });
      const event = await watch.next();
      expect(event.$case === 'changes' && event.value.upserts[0]?.object?.value).to.include({
        fundedNanos: 750_000_000_000n,
      });
      expect(await balanceOf('adv_northwind')).to.equal(750_000_000_000n);
    });

    it('is made once per reference', async () => {
      await deposit('250.00', 'INV-7');
      expect(await deposit('250', 'INV-7')).to.deep.equal({ isNew: false });
      expect(await balanceOf('adv_northwind')).to.equal(750_000_000_000n);
    });

    it('is made once by many simultaneous calls', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => deposit('1', 'INV-8')));
      expect(answers.filter(({ isNew }) => isNew)).to.have.length(1);
      expect(await balanceOf('adv_northwind')).to.equal(501_000_000_000n);
    });

    it('conflicts when the same reference has another amount or advertiser', async () => {
      await apply('advertisers: [{ id: adv_b, name: B }]');
      await deposit('250.00', 'INV-7');
      expect(await codeOf(deposit('251.00', 'INV-7'))).to.equal('conflict');
      expect(await codeOf(deposit('250.00', 'INV-7', 'adv_b'))).to.equal('conflict');
    });

    it('leaves its reference free when it is refused', async () => {
      for (const amount of ['0', '-1', '1.0000000001', 'ten', '', '1e3', '1000000000.01', 'NaN']) {
        expect(await codeOf(deposit(amount, 'INV-9')), amount).to.equal('invalid_argument');
      }
      expect(await codeOf(deposit('1', 'INV-9', 'adv_unknown'))).to.equal('invalid_argument');
      expect(await deposit('1', 'INV-9')).to.deep.equal({ isNew: true });
    });

    it('needs a reference that is not reserved for opening balances', async () => {
      for (const reference of ['', ' ', ' INV-7', 'INV-7 ', 'INV-7\n'])
        expect(await codeOf(deposit('1', reference)), reference).to.equal('invalid_argument');
      expect(await codeOf(deposit('1', 'x'.repeat(129)))).to.equal('invalid_argument');
      expect(await codeOf(deposit('1', 'opening:adv_b'))).to.equal('invalid_argument');
      expect(await deposit('500.00', 'opening:adv_northwind')).to.deep.equal({ isNew: false });
    });

    it('is made while the ledger is away, and booked when it is back', async () => {
      instance.events.isUp = false;
      expect(await deposit('250.00', 'INV-7')).to.deep.equal({ isNew: true });
      expect(await codeOf(client.getBalances())).to.equal('unavailable');
      expect(instance.events.booked.has('INV-7')).to.equal(false);
      instance.events.isUp = true;
      expect(await balanceOf('adv_northwind')).to.equal(750_000_000_000n);
    });

    it('is refused when the books could not represent it', async () => {
      for (let index = 0; index < 8; index += 1) await deposit('1000000000', `BIG-${index}`);
      expect(await codeOf(deposit('1000000000', 'BIG-8'))).to.equal('invalid_argument');
    });
  });

  describe('the books', () => {
    it('list every advertiser and publisher, also at zero', async () => {
      await apply(`${minimalAdvertiser()}publishers: [{ id: pub_a, name: A, revenue_share: 1 }]`);
      const { accounts } = await client.getBalances();
      expect(accounts.map(({ id }) => id)).to.have.members(['adv_a', 'pub_a', 'platform', 'deposits']);
    });

    it('are verified against all deposits', async () => {
      await apply(EXAMPLE);
      await deposit('250.00', 'INV-7');
      expect((await client.verifyBooks({ wait: true })).ok).to.equal(true);
      expect(instance.events.verifications).to.deep.equal([
        {
          wait: true,
          funds: [{ advertiserId: 'adv_northwind', fundedNanos: 750_000_000_000n }],
          publishers: [],
        },
      ]);
    });

    it('do not add up when the ledger has another sum', async () => {
      await apply(EXAMPLE);
      await client.getBalances();
      instance.events.booked.set('elsewhere', { advertiserId: 'adv_northwind', amountNanos: 1n });
      expect((await client.verifyBooks({ wait: false })).ok).to.equal(false);
    });
  });

  describe('a report', () => {
    const at = (gapMs = 0): string => toIso(AS_OF_MS + gapMs);
    it('covers whole hours, and names them', async () => {
      const report = await client.report({ by: ['day'], from: at(-1), to: at(1) });
      const { total, ...others } = report;
      expect(others).to.deep.equal({
        as_of: at(),
        from: at(-HOUR_MS),
        to: at(HOUR_MS),
        zone: 'UTC',
        currency: 'USD',
        rows: [],
      });
      expect(total).to.include({ requests: 0, fills: 0, spend: '0.000000000', revenue: '0.000000000' });
      expect(instance.events.reports).to.deep.equal([
        {
          by: [ReportKey.DAY],
          fromMs: BigInt(AS_OF_MS - HOUR_MS),
          toMs: BigInt(AS_OF_MS + HOUR_MS),
          days: [],
          filters: [],
        },
      ]);
    });

    it('is refused for a range beyond 1970 to 9999, and accepted at both ends', async () => {
      for (const range of [{ from: '1969-12-31T23:59:59.999Z' }, { to: '10000-01-01' }, { from: 'today' }])
        expect(await codeOf(client.report(range)), JSON.stringify(range)).to.equal('invalid_argument');
      for (const range of [
        { from: '1970-01-01', to: '9999-12-31' },
        { from: '1970-01-01T00:00:00Z', to: '1970-01-01T00:00:00.001Z' },
        { to: '9999-12-31' },
      ])
        expect(await codeOf(client.report(range))).to.equal(null);
    });

    it('names the field and the format of a date that it refuses', async () => {
      const refused = await client.report({ from: '2026-02-30' }).catch((error: unknown) => error);
      expect(toAppError(refused).publicText).to.match(
        /^The report is refused: from must be a day such as 2026-01-31 or an instant/,
      );
    });

    it('is refused when its range is empty, also within one hour', async () => {
      for (const to of [at(-HOUR_MS), at()])
        expect(await codeOf(client.report({ from: at(), to }))).to.equal('invalid_argument');
    });
  });
});
