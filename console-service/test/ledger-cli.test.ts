import {
  AccountKind,
  type GetStatementResponse,
  type StatementLine,
} from '@placard/protos/events/v1/events.js';
import { expect } from 'chai';
import { EXAMPLE } from './support/catalog-text.js';
import { openTestConsole, type TestConsole } from './support/console.js';
import { runCommand } from './support/run-command.js';

const DAY = 20_758n;

/** What events-service answers. */
const STATEMENT: GetStatementResponse = {
  asOfMs: BigInt(Date.UTC(2026, 10, 10, 12)),
  opening: '100.000000000',
  lines: [
    lineOf({
      kind: 'deposit',
      reference: 'INV-7',
      counterKind: AccountKind.DEPOSITS,
      counterId: 'deposits',
      amount: '50.000000000',
    }),
    lineOf({
      kind: 'adjustment',
      reference: 'T-1',
      counterKind: AccountKind.PLATFORM,
      counterId: 'platform',
      reason: 'late, "sorry"',
      amount: '-0.000000001',
    }),
    lineOf({ kind: 'impression', campaignId: 'cmp_spring', impressions: 3n, amount: '-0.007500000' }),
  ],
  closing: '149.992499999',
};

const NONE = {
  reference: null,
  counter_account: null,
  reason: null,
  campaign: null,
  app: null,
  impressions: null,
};

/** What the command makes of it. */
const SHAPE = {
  account: { kind: 'advertiser', id: 'adv_northwind' },
  month: '2026-11',
  as_of: '2026-11-10T12:00:00.000Z',
  opening_balance: '100.000000000',
  lines: [
    {
      ...NONE,
      day: '2026-11-01',
      kind: 'deposit',
      reference: 'INV-7',
      counter_account: 'deposits',
      amount: '50.000000000',
      balance: '150.000000000',
    },
    {
      ...NONE,
      day: '2026-11-01',
      kind: 'adjustment',
      reference: 'T-1',
      counter_account: 'platform',
      reason: 'late, "sorry"',
      amount: '-0.000000001',
      balance: '149.999999999',
    },
    {
      ...NONE,
      day: '2026-11-01',
      kind: 'impression',
      campaign: 'cmp_spring',
      impressions: 3,
      amount: '-0.007500000',
      balance: '149.992499999',
    },
  ],
  closing_balance: '149.992499999',
};

describe('placard ledger', () => {
  let console: TestConsole;
  before(async () => {
    console = await openTestConsole();
    await console.client.applyCatalog({ file: EXAMPLE, prune: false, onlyIfEmpty: false });
  });
  after(() => console.close());

  const run = (...args: readonly string[]) =>
    runCommand(args, { PLACARD_ADDRESS: `127.0.0.1:${console.ports.grpcPort}` });
  const adjust = (account: string, amount: string, ...options: readonly string[]) =>
    run('ledger', 'adjust', account, amount, ...options);
  const why = ['--reason', 'goodwill', '--reference', 'T-1'];

  it('adjust says what was done, and that it was done before', async () => {
    expect(await adjust('advertiser:adv_northwind', '-12.50', ...why)).to.deep.equal({
      status: 0,
      err: '',
      out: 'adjusted advertiser:adv_northwind by -12.500000000 (reference T-1)\n',
    });
    const again = await adjust('advertiser:adv_northwind', '-12.5', ...why);
    expect(again).to.include({ status: 0, err: '' });
    expect(again.out).to.contain('nothing to do');
  });

  it('adjust refuses another amount, an unknown account and a missing reason on one line', async () => {
    for (const refused of [
      await adjust('advertiser:adv_northwind', '12.50', ...why),
      await adjust('advertiser:adv_x', '1', '--reason', 'x', '--reference', 'T-2'),
      await adjust('advertiser:adv_northwind', '1', '--reference', 'T-2'),
      await adjust('advertiser:adv_northwind', '1', '--reason', 'x'),
      await adjust('advertiser:adv_northwind', '0', '--reason', 'x', '--reference', 'T-2'),
    ]) {
      expect(refused).to.include({ status: 1, out: '' });
      expect(refused.err).to.match(/^placard: [^\n]+\n$/);
    }
  });

  it('statement shows the documented shape as JSON, CSV and table', async () => {
    console.events.statement = STATEMENT;
    const statement = (format: string) =>
      run('ledger', 'statement', 'adv_northwind', '--month', '2026-11', '--format', format);
    const json = await statement('json');
    expect(json.status).to.equal(0);
    expect(JSON.parse(json.out)).to.deep.equal(SHAPE);
    expect((await statement('csv')).out.split('\r\n')).to.deep.equal([
      'day,kind,reference,counter_account,reason,campaign,app,impressions,amount,balance',
      ',opening_balance,,,,,,,,100.000000000',
      '2026-11-01,deposit,INV-7,deposits,,,,,50.000000000,150.000000000',
      '2026-11-01,adjustment,T-1,platform,"late, ""sorry""",,,,-0.000000001,149.999999999',
      '2026-11-01,impression,,,,cmp_spring,,3,-0.007500000,149.992499999',
      ',closing_balance,,,,,,,,149.992499999',
      '',
    ]);
    const table = (await statement('table')).out;
    expect(table).to.match(
      /^advertiser:adv_northwind, 2026-11 \(UTC\), as of 2026-11-10T12:00:00\.000Z\nday +kind +what/,
    );
    expect(table).to.match(/\n2026-11-01 +impression +cmp_spring +3 +-0\.007500000 +149\.992499999\n/);
  });

  it('statement needs a month', async () => {
    for (const args of [['platform'], ['platform', '--month', '2026-13'], ['--month', '2026-11']]) {
      const { status, out, err } = await run('ledger', 'statement', ...args);
      expect({ status, out }).to.deep.equal({ status: 1, out: '' });
      expect(err).to.match(/^placard: [^\n]+\n$/);
    }
  });

  it('balances beyond 64 bits are shown exactly', async () => {
    console.events.hugeSum = '123456789012345678901.000000001';
    const { out } = await run('ledger', 'balances', '--json');
    console.events.hugeSum = '';
    expect(JSON.parse(out)).to.include({ sum: '123456789012345678901.000000001' });
  });

  it('verify --wait says when the wait ran out, and what was left', async () => {
    console.events.waiting = { events: 12n, oldestAtMs: BigInt(Date.UTC(2026, 10, 1, 12)) };
    const table = await run('ledger', 'verify', '--wait');
    const json = await run('ledger', 'verify', '--wait', '--json');
    console.events.waiting = null;
    expect(table.status).to.equal(0);
    expect(table.out).to.match(
      /\nThe wait ran out after a minute with 12 accepted events not settled yet, the oldest since 2026-11-01T12:00:00\.000Z\.\nWhat is settled adds up\.\n$/,
    );
    expect(JSON.parse(json.out)).to.deep.include({
      ok: true,
      waiting: { events: 12, oldest_at: '2026-11-01T12:00:00.000Z' },
    });
  });

  it('verify --full goes through every piece, tells its progress on standard error and adds the checks up', async () => {
    const check = (rows: bigint, faults: readonly string[] = []) => ({
      ...{ name: 'each booking has exactly its entries', rows, faults: [...faults] },
      faultCount: BigInt(faults.length),
    });
    console.events.pieces = [
      { checks: [check(2n)], next: 'b', day: '2026-11-01', daysLeft: 1 },
      'unavailable',
      { checks: [check(3n)], next: '', day: '2026-11-02', daysLeft: 0 },
    ];
    const good = await run('ledger', 'verify', '--full', '--json');
    expect(good.status).to.equal(0);
    expect(good.err).to.equal(
      '2026-11-01: each booking has exactly its entries; 1 day left\n' +
        '2026-11-02: each booking has exactly its entries; 0 days left\n',
    );
    const { checks } = JSON.parse(good.out) as { readonly checks: readonly unknown[] };
    expect(checks.at(-1)).to.deep.equal({
      name: 'each booking has exactly its entries',
      ok: true,
      detail: '5 rows',
    });
    console.events.pieces = [
      { checks: [check(2n, ['a is wrong', 'b is wrong'])], next: 'b', day: '2026-11-01', daysLeft: 1 },
      { checks: [check(3n, ['c is wrong', 'd is wrong'])], next: '', day: '2026-11-02', daysLeft: 0 },
    ];
    const bad = await run('ledger', 'verify', '--full');
    expect(bad.status).to.equal(1);
    expect(bad.out).to.contain('a is wrong; b is wrong; c is wrong; and 1 more\nThe books do not add up.');
  });
});

function lineOf(overrides: Partial<StatementLine>): StatementLine {
  return {
    day: DAY,
    kind: 'impression',
    reference: '',
    counterKind: AccountKind.UNSPECIFIED,
    counterId: '',
    reason: '',
    campaignId: '',
    appId: '',
    impressions: 0n,
    amount: '0.000000000',
    ...overrides,
  };
}
