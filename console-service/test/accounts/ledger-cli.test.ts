import {
  AccountKind,
  type GetStatementResponse,
  type StatementLine,
} from '@placard/protos/events/v1/events.js';
import { expect } from 'chai';
import { EXAMPLE } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { runCommand } from '../support/run-command.js';

const DAY = 20_758n;

/** The answer of events-service. */
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

/** The command's JSON for it. */
const SHAPE = {
  account: { kind: 'advertiser', id: 'adv_northwind' },
  month: '2026-11',
  number: null,
  currency: 'USD',
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
  let instance: TestConsole;
  before(async () => {
    instance = await openTestConsole();
    await instance.client.applyCatalog({ file: EXAMPLE, prune: false, onlyIfEmpty: false });
  });
  after(() => instance.close());

  const run = (...args: readonly string[]) => runCommand(args, instance.commandEnv);
  const adjust = (account: string, amount: string, ...options: readonly string[]) =>
    run('ledger', 'adjust', account, amount, ...options);
  const given = ['--reason', 'goodwill', '--reference', 'T-1'];

  it('adjust prints the booking, and that it was made before', async () => {
    expect(await adjust('advertiser:adv_northwind', '-12.50', ...given)).to.deep.equal({
      status: 0,
      err: '',
      out: 'adjusted advertiser:adv_northwind by -12.500000000 USD (reference T-1)\n',
    });
    const again = await adjust('advertiser:adv_northwind', '-12.5', ...given);
    expect(again).to.include({ status: 0, err: '' });
    expect(again.out).to.contain('nothing to do');
  });

  it('adjust refuses another amount, an unknown account and a missing reason with one line', async () => {
    for (const refused of [
      await adjust('advertiser:adv_northwind', '12.50', ...given),
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
    instance.events.statement = STATEMENT;
    const statement = (format: string) =>
      run('ledger', 'statement', 'adv_northwind', '--month', '2026-11', '--format', format);
    const json = await statement('json');
    expect(json.status).to.equal(0);
    expect(JSON.parse(json.out)).to.deep.equal(SHAPE);
    expect((await statement('csv')).out.split('\r\n')).to.deep.equal([
      'day,kind,reference,counter_account,reason,campaign,app,impressions,amount,balance,account,month,currency,number',
      ',opening_balance,,,,,,,,100.000000000,advertiser:adv_northwind,2026-11,USD,',
      '2026-11-01,deposit,INV-7,deposits,,,,,50.000000000,150.000000000,advertiser:adv_northwind,2026-11,USD,',
      '2026-11-01,adjustment,T-1,platform,"late, ""sorry""",,,,-0.000000001,149.999999999,advertiser:adv_northwind,2026-11,USD,',
      '2026-11-01,impression,,,,cmp_spring,,3,-0.007500000,149.992499999,advertiser:adv_northwind,2026-11,USD,',
      ',closing_balance,,,,,,,,149.992499999,advertiser:adv_northwind,2026-11,USD,',
      '',
    ]);
    const table = (await statement('table')).out;
    expect(table).to.match(
      /^advertiser:adv_northwind, 2026-11 \(UTC\), USD, as of 2026-11-10T12:00:00\.000Z\nday +kind +what.*balance USD\n/,
    );
    expect(table).to.match(/\n2026-11-01 +impression +cmp_spring +3 +-0\.007500000 +149\.992499999\n/);
  });

  it('statement needs a month', async () => {
    for (const args of [['platform'], ['--month', '2026-11']]) {
      const { status, out, err } = await run('ledger', 'statement', ...args);
      expect({ status, out }).to.deep.equal({ status: 1, out: '' });
      expect(err).to.match(/^placard: [^\n]+\n$/);
    }
    for (const month of [
      '2026-13',
      '1969-12',
      '0001-01',
      '10000-01',
      '-0001-01',
      '2026-1',
      '９９９９-12',
      '2026-11-01',
      '',
    ])
      expect(await run('ledger', 'statement', 'platform', `--month=${month}`), month).to.deep.equal({
        status: 1,
        out: '',
        err: `placard: ${month} is not a month from 1970-01 to 9999-12. Write it such as 2026-11. Correct it and try again.\n`,
      });
  });

  it('statement accepts every month, including the first and the last', async () => {
    instance.events.statement = STATEMENT;
    for (const [month, fromDay, toDay] of [
      ['1970-01', 0n, 31n],
      ['2024-02', 19_754n, 19_783n],
      ['9999-12', 2_932_866n, 2_932_897n],
    ] as const) {
      const { status, err } = await run('ledger', 'statement', 'platform', '--month', month);
      expect({ status, err }).to.deep.equal({ status: 0, err: '' });
      expect(instance.events.statements.at(-1)).to.include({ fromDay, toDay });
    }
  });

  it('statement names accounts by kind and id, also when an id is the name of a kind', async () => {
    const ids = ['advertiser', 'publisher', 'platform', 'deposits'];
    const file = JSON.stringify({
      advertisers: ids.map((id) => ({ id, name: id })),
      publishers: ids.map((id) => ({ id, name: id, revenue_share: '0.5' })),
    });
    await instance.client.applyCatalog({ file, prune: false, onlyIfEmpty: false });
    const counter = (counterKind: AccountKind, counterId: string) =>
      lineOf({ kind: 'adjustment', reference: 'T', reason: 'r', counterKind, counterId });
    instance.events.statement = {
      ...STATEMENT,
      lines: [
        ...ids.map((id) => counter(AccountKind.ADVERTISER, id)),
        ...ids.map((id) => counter(AccountKind.PUBLISHER, id)),
        counter(AccountKind.PLATFORM, 'platform'),
        counter(AccountKind.DEPOSITS, 'deposits'),
      ],
    };
    const wanted = [
      ...ids.map((id) => `advertiser:${id}`),
      ...ids.map((id) => `publisher:${id}`),
      'platform',
      'deposits',
    ];
    for (const account of wanted) {
      const ask = (format: string) =>
        run('ledger', 'statement', account, '--month', '2026-11', '--format', format);
      const { lines } = JSON.parse((await ask('json')).out) as { lines: { counter_account: string }[] };
      expect(lines.map((line) => line.counter_account)).to.deep.equal(wanted);
      const table = (await ask('table')).out;
      expect(table.startsWith(`${account}, 2026-11 (UTC)`), table).to.equal(true);
      const cells = (await ask('csv')).out.split('\r\n').map((row) => row.split(',')[3]);
      expect(cells.slice(2, -2)).to.deep.equal(wanted);
    }
    const taken = await adjust('advertiser:advertiser', '1', '--reason', 'r', '--reference', 'KIND');
    expect(taken.out).to.equal('adjusted advertiser:advertiser by 1.000000000 USD (reference KIND)\n');
    const other = await adjust('publisher:advertiser', '1', '--reason', 'r', '--reference', 'KIND');
    expect(other.err).to.contain(
      'is booked already with 1.000000000 USD for advertiser:advertiser, reason "r"',
    );
  });

  it('shows a kind of account of a newer events-service as `unknown`, in balances and statements', async () => {
    const newer = 999 as AccountKind;
    instance.events.otherAccounts = [{ kind: newer, id: 'acc_x', balanceNanos: 0n, balance: '' }];
    instance.events.statement = {
      ...STATEMENT,
      lines: [lineOf({ kind: 'adjustment', reference: 'T', counterKind: newer, counterId: 'acc_x' })],
    };
    const balances = await run('ledger', 'balances', '--json');
    const statement = await run('ledger', 'statement', 'platform', '--month=2026-11', '--format=json');
    instance.events.otherAccounts = [];
    expect((JSON.parse(balances.out) as { readonly accounts: object[] }).accounts).to.deep.include({
      kind: 'unknown',
      id: 'acc_x',
      balance: '0.000000000',
    });
    expect(JSON.parse(statement.out)).to.have.nested.property('lines[0].counter_account', 'unknown:acc_x');
  });

  it('shows control characters in stored texts as escapes, in every format and in refusals', async () => {
    const evil = '\u001b[2Kok\n\u009b1A\u202e\u200b\u0007';
    const shown = String.raw`\u001b[2Kok\n\u009b1A\u202e\u200b\u0007`;
    instance.events.statement = {
      ...STATEMENT,
      lines: [lineOf({ kind: 'adjustment', reference: evil, reason: evil, campaignId: evil, appId: evil })],
    };
    for (const format of ['table', 'csv', 'json']) {
      const { out } = await run('ledger', 'statement', 'platform', '--month', '2026-11', '--format', format);
      expect(out).to.contain(shown);
      expect(out.replaceAll('\r\n', '').replaceAll('\n', ''), format).to.not.match(/\p{Cc}|\p{Cf}/u);
      if (format === 'json') {
        const { lines } = JSON.parse(out) as { lines: { reference: string }[] };
        expect(lines[0]?.reference).to.equal(evil);
      }
    }
    for (const args of [
      ['ledger', 'statement', evil, '--month', '2026-11'],
      ['ledger', 'statement', 'platform', '--month', evil],
      ['ledger', 'adjust', `advertiser:${evil}`, '1', '--reason', 'r', '--reference', 'R'],
      ['ledger', 'adjust', 'advertiser:adv_northwind', evil, '--reason', 'r', '--reference', 'R'],
      ['ledger', 'adjust', 'advertiser:adv_northwind', '1', '--reason', evil, '--reference', 'R'],
      ['ledger', 'balances', '--data', evil],
      ['ledger', evil],
      ['ledger', 'balances', `--${evil}`],
      ['report', '--by', evil],
      ['report', '--from', evil],
      ['report', '--format', evil],
      ['catalog', 'validate', evil],
    ]) {
      const { status, out, err } = await run(...args);
      expect({ status, out }, args.join(' ')).to.deep.equal({ status: 1, out: '' });
      expect(err, args.join(' ')).to.match(/^placard: [^\p{Cc}\p{Cf}]+\n$/u);
    }
  });

  it('balances beyond 64 bits are shown exactly', async () => {
    instance.events.hugeSum = '123456789012345678901.000000001';
    const { out } = await run('ledger', 'balances', '--json');
    instance.events.hugeSum = '';
    expect(JSON.parse(out)).to.include({ sum: '123456789012345678901.000000001' });
  });

  it('verify --wait reports the backlog when the wait ran out', async () => {
    instance.events.waiting = { events: 12n, oldestAtMs: BigInt(Date.UTC(2026, 10, 1, 12)) };
    const table = await run('ledger', 'verify', '--wait');
    const json = await run('ledger', 'verify', '--wait', '--json');
    instance.events.waiting = null;
    expect(table.status).to.equal(0);
    expect(table.out).to.match(
      /\nThe wait ran out after a minute; 12 accepted events not settled yet, the oldest since 2026-11-01T12:00:00\.000Z\.\nThe settled events add up\.\n$/,
    );
    expect(JSON.parse(json.out)).to.deep.include({
      ok: true,
      waiting: { events: 12, oldest_at: '2026-11-01T12:00:00.000Z' },
    });
  });

  it('verify --full checks every piece, prints progress on standard error and sums the checks', async () => {
    const check = (rows: bigint, faults: readonly string[] = []) => ({
      name: 'each booking has exactly its entries',
      rows,
      faults: [...faults],
      faultCount: BigInt(faults.length),
    });
    instance.events.pieces = [
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
    instance.events.pieces = [
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
