import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ReportRow } from '@placard/protos/events/v1/events.js';
import { expect } from 'chai';
import { EXAMPLE, exampleWith } from './support/catalog-text.js';
import { openTestConsole, type TestConsole } from './support/console.js';
import { runCommand } from './support/run-command.js';
import { AS_OF_MS } from './support/fake-events.js';

/** A process id that no process has: Linux never gives one that large. */
const PID_OF_NOBODY = 2 ** 30;
const DAY_MS = 86_400_000;
const TODAY_MS = Math.floor(AS_OF_MS / DAY_MS) * DAY_MS;

describe('the placard command', () => {
  let instance: TestConsole;
  let folder: string;
  let address: string;

  before(async () => {
    instance = await openTestConsole();
    address = `127.0.0.1:${instance.ports.grpcPort}`;
    folder = mkdtempSync(path.join(tmpdir(), 'placard-cli-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await instance.close();
  });

  const run = (...args: readonly string[]) => runCommand(args, { PLACARD_ADDRESS: address });
  const fileOf = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  it('applies a file, prints the changes and exits 0, also without any change', async () => {
    const file = fileOf('catalog.yaml', EXAMPLE);
    const first = await run('catalog', 'apply', file);
    expect(first).to.include({ status: 0, err: '' });
    expect(first.out).to.match(
      /^created publisher pub_sunrise\n[\s\S]*\n6 created, 0 updated, 0 removed \(version 2\)\n$/,
    );
    expect(await run('catalog', 'apply', file)).to.deep.equal({
      status: 0,
      err: '',
      out: 'nothing changed (version 2)\n',
    });
    const changed = await run(
      'catalog',
      'apply',
      fileOf('changed.yaml', exampleWith('bid_cpm: 2.50', 'bid_cpm: 3')),
    );
    expect(changed.out).to.equal(
      'updated campaign cmp_spring\n  bid_cpm: 2.50 → 3.00\n0 created, 1 updated, 0 removed (version 3)\n',
    );
  });

  it('names every fault of a refused file on standard error and exits 1', async () => {
    const file = fileOf(
      'bad.yaml',
      exampleWith('width: 320', 'width: 0').replace('height: 50', 'height: no'),
    );
    const { status, out, err } = await run('catalog', 'apply', file);
    expect({ status, out }).to.deep.equal({ status: 1, out: '' });
    expect(err.trimEnd().split('\n')).to.deep.equal([
      'advertisers[0].campaigns[0].creatives[0].width: must be a whole number from 1 to 20000',
      'advertisers[0].campaigns[0].creatives[0].height: must be a whole number from 1 to 20000',
      `placard: ${file} is refused for 2 faults, nothing was changed. Correct the file and try again.`,
    ]);
  });

  it('sends a large YAML file as well as a small one', async () => {
    const lines = Array.from(
      { length: 30_000 },
      (_, index) => `# a comment that makes the file large, line ${index}\n# ${'x'.repeat(40)}`,
    );
    const { status, out } = await run(
      'catalog',
      'apply',
      fileOf('large.yaml', `${lines.join('\n')}\nglobal: {}\n`),
    );
    expect({ status, out }).to.deep.equal({ status: 0, out: 'nothing changed (version 3)\n' });
  });

  it('removes unnamed objects only with --prune', async () => {
    const file = fileOf('none.yaml', 'publishers: []');
    expect((await run('catalog', 'apply', file)).out).to.match(/^nothing changed/);
    expect((await run('catalog', 'apply', file, '--prune')).out).to.match(
      /removed app app_sunrise_puzzle\n[\s\S]*3 removed/,
    );
  });

  it('exports to standard output in a form that apply accepts', async () => {
    const { status, out } = await run('catalog', 'export');
    expect(status).to.equal(0);
    expect((await run('catalog', 'apply', fileOf('export.yaml', out), '--prune')).out).to.match(
      /^nothing changed/,
    );
  });

  it('validates a file without any instance', async () => {
    const good = await runCommand(['catalog', 'validate', fileOf('good.yaml', EXAMPLE)], {});
    expect(good).to.include({ status: 0, err: '' });
    const bad = await runCommand(['catalog', 'validate', fileOf('bad.yaml', 'publishers: [{ id: pub_a }]')]);
    expect(bad.status).to.equal(1);
    expect(bad.err).to.contain('publishers[0].name: is required for a new publisher\n');
  });

  it('credits an advertiser once per reference', async () => {
    const deposit = (amount: string, reference: string, id = 'adv_northwind') =>
      run('advertiser', 'deposit', id, amount, '--reference', reference);
    expect((await deposit('0250.00', 'INV-7')).out).to.equal(
      'credited 250.000000000 to adv_northwind (reference INV-7)\n',
    );
    expect((await deposit('250', 'INV-7')).status).to.equal(0);
    for (const refused of [
      await deposit('251', 'INV-7'),
      await deposit('0', 'INV-8'),
      await deposit('-5', 'INV-8'),
      await deposit('0.0000000001', 'INV-8'),
      await deposit('1', 'INV-8', 'adv_unknown'),
    ]) {
      expect(refused).to.include({ status: 1, out: '' });
      expect(refused.err).to.match(/^placard: [^\n]+\n$/);
    }
    expect((await deposit('1', 'INV-8')).status).to.equal(0);
  });

  it('shows balances as JSON in the documented shape, and as a table', async () => {
    const { status, out } = await run('ledger', 'balances', '--json');
    expect(status).to.equal(0);
    expect(JSON.parse(out)).to.deep.equal({
      accounts: [
        { kind: 'advertiser', id: 'adv_northwind', balance: '751.000000000' },
        { kind: 'platform', id: 'platform', balance: '0.000000000' },
        { kind: 'deposits', id: 'deposits', balance: '-751.000000000' },
      ],
      sum: '0.000000000',
    });
    expect((await run('ledger', 'balances')).out).to.match(
      /^kind +id +balance\nadvertiser +adv_northwind +751\.000000000\n/,
    );
  });

  it('verifies the books, with exit status 1 when they do not add up', async () => {
    const good = await run('ledger', 'verify', '--json', '--wait');
    expect(good.status).to.equal(0);
    expect(JSON.parse(good.out)).to.have.property('ok', true);
    instance.events.booked.set('elsewhere', { advertiserId: 'adv_northwind', amountNanos: 1n });
    const bad = await run('ledger', 'verify', '--json');
    instance.events.booked.delete('elsewhere');
    expect(bad).to.include({ status: 1, err: '' });
    const { ok, checks } = JSON.parse(bad.out) as { ok: boolean; checks: unknown[] };
    expect(ok).to.equal(false);
    expect(checks[0]).to.have.all.keys('name', 'ok', 'detail');
    expect((await run('ledger', 'verify')).out).to.match(/^ok +deposits: .*\nThe books add up\.\n$/);
  });

  it('reports as JSON in the documented shape: null where a split makes no sense, maps without zeros', async () => {
    instance.events.rows = [
      rowOf({ keys: ['2026-11-10', 'pub_a'] }),
      rowOf({ keys: ['2026-11-10', 'pub_b'], hasNoFills: false }),
    ];
    const { status, out } = await run(
      'report',
      '--by',
      'day,publisher',
      '--from',
      '2026-11-09',
      '--to',
      '2026-11-10',
      '--format',
      'json',
    );
    expect(status).to.equal(0);
    expect(JSON.parse(out)).to.deep.equal({
      as_of: '2026-11-10T12:00:00.000Z',
      from: '2026-11-09T00:00:00.000Z',
      to: '2026-11-11T00:00:00.000Z',
      rows: [
        {
          day: '2026-11-10',
          publisher: 'pub_a',
          requests: 7,
          fills: 4,
          no_fills: { frequency_capped: 3 },
          impressions: 3,
          clicks: 1,
          rewards: 0,
          fallbacks: null,
          rejected: null,
          spend: '0.007500000',
          revenue: '0.005250000',
        },
        {
          day: '2026-11-10',
          publisher: 'pub_b',
          requests: 7,
          fills: 4,
          no_fills: null,
          impressions: 3,
          clicks: 1,
          rewards: 0,
          fallbacks: null,
          rejected: null,
          spend: '0.007500000',
          revenue: '0.005250000',
        },
      ],
    });
  });

  it('reports as CSV, always with the same columns, and as a table', async () => {
    instance.events.rows = [rowOf({ keys: ['a,b'] })];
    const csv = await run('report', '--by', 'country', '--format', 'csv');
    expect(csv.out).to.equal(
      'country,requests,fills,no_fills.no_eligible_campaign,no_fills.serving_disabled,no_fills.placement_disabled,' +
        'no_fills.frequency_capped,no_fills.test_no_fill,impressions,clicks,rewards,fallbacks,rejected.duplicate,' +
        'rejected.invalid_token,rejected.expired_token,rejected.request_mismatch,rejected.no_impression,' +
        'rejected.suspicious,spend,revenue\r\n"a,b",7,4,0,0,0,3,0,3,1,0,,,,,,,,0.007500000,0.005250000\r\n',
    );
    expect((await run('report', '--by', 'country')).out).to.match(
      /\ncountry +requests .*\na,b +7 +4 +3 +3 +1 +0 +- +- +0\.0075/,
    );
  });

  it('shows an unknown country as `unknown`, in each format', async () => {
    instance.events.rows = [rowOf({ keys: [''] }), rowOf({ keys: ['SE'] })];
    const { out } = await run('report', '--by', 'country', '--format', 'json');
    const { rows } = JSON.parse(out) as { readonly rows: readonly { readonly country: string }[] };
    expect(rows.map(({ country }) => country)).to.deep.equal(['unknown', 'SE']);
    for (const format of ['csv', 'table'])
      expect((await run('report', '--by', 'country', '--format', format)).out, format).to.match(
        /\nunknown[ ,][^\n]*\nSE[ ,]/,
      );
  });

  it('reads days as a range that includes both, and instants as a half-open range', async () => {
    const rangeOf = async (...args: readonly string[]) => {
      await run('report', ...args);
      const asked = instance.events.reports.at(-1);
      return [Number(asked?.fromMs), Number(asked?.toMs)];
    };
    expect(await rangeOf('--from', '2026-11-10', '--to', '2026-11-10')).to.deep.equal([
      TODAY_MS,
      TODAY_MS + DAY_MS,
    ]);
    expect(
      await rangeOf('--from', '2026-11-10T01:00:00Z', '--to', '2026-11-10T04:00:00+01:00'),
    ).to.deep.equal([TODAY_MS + 3_600_000, TODAY_MS + 3 * 3_600_000]);
  });

  it('reports from 1970 to 9999, and accepts the instants that Python writes', async () => {
    for (const [args, from, to] of [
      [
        ['--from', '1970-01-01', '--to', '1970-01-01'],
        '1970-01-01T00:00:00.000Z',
        '1970-01-02T00:00:00.000Z',
      ],
      [
        ['--from', '9999-12-31', '--to', '9999-12-31'],
        '9999-12-31T00:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
      ],
      [['--to', '9999-12-31'], '9999-12-25T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
      [
        ['--from', '1970-01-01', '--to', '9999-12-31'],
        '1970-01-01T00:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
      ],
      [
        ['--from', '2026-11-09T00:00:00.123456+00:00', '--to', '2026-11-10T01:00:00.000000+01:00'],
        '2026-11-09T00:00:00.000Z',
        '2026-11-10T00:00:00.000Z',
      ],
      [
        ['--from', '9999-12-31T23:59:59.999998Z', '--to', '9999-12-31'],
        '9999-12-31T23:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
      ],
    ] as const) {
      const { status, out, err } = await run('report', ...args, '--format', 'json');
      expect({ status, err }, args.join(' ')).to.deep.equal({ status: 0, err: '' });
      expect(JSON.parse(out), args.join(' ')).to.include({ from, to });
    }
    for (const args of [
      ['--from', '0001-01-01'],
      ['--to', '1969-12-31'],
      ['--from', '10000-01-01T00:00:00Z'],
      ['--to', '+010000-01-01'],
      ['--from', '9999-12-31'],
      ['--to', '1970-01-01T00:00:00Z'],
    ]) {
      const { status, err } = await run('report', ...args);
      expect(status, args.join(' ')).to.equal(1);
      expect(err, args.join(' '))
        .to.match(/^placard: [^\n]+\n$/)
        .and.to.not.contain('went wrong');
    }
  });

  it('refuses a wrong command line with one line that gives the next step', async () => {
    for (const args of [
      ['report', '--by', 'weather'],
      ['report', '--from', 'yesterday'],
      ['report', '--from', '2026-11-10T00:00:00'],
      ['report', '--from', '2026-11-10', '--to', '2026-11-01'],
      ['report', '--format', 'xml'],
      ['catalog', 'apply'],
      ['catalog', 'apply', path.join(folder, 'missing.yaml')],
      ['catalog', 'aply', 'x'],
      ['advertiser', 'deposit', 'adv_northwind', '1'],
      ['ledger', 'balances', '--jsn'],
    ]) {
      const { status, out, err } = await run(...args);
      expect({ status, out }, args.join(' ')).to.deep.equal({ status: 1, out: '' });
      expect(err, args.join(' ')).to.match(/^placard: [^\n]+\.[^\n]*\n$/);
    }
  });

  it('explains every command with --help', async () => {
    for (const args of [
      [],
      ['catalog'],
      ['catalog', 'apply'],
      ['catalog', 'export'],
      ['catalog', 'validate'],
      ['advertiser', 'deposit'],
      ['ledger', 'balances'],
      ['ledger', 'verify'],
      ['ledger', 'adjust'],
      ['ledger', 'statement'],
      ['report'],
    ]) {
      const { status, out } = await runCommand([...args, '--help'], {});
      expect(status, args.join(' ')).to.equal(0);
      expect(out, args.join(' ')).to.match(/^Usage: placard /);
    }
  });

  it('prints the reason when events-service is away', async () => {
    instance.events.isUp = false;
    const { status, err } = await run('ledger', 'balances');
    instance.events.isUp = true;
    expect(status).to.equal(1);
    expect(err).to.match(/^placard: events-service cannot be reached\. .*\n$/);
  });

  describe('looks for the instance and', () => {
    const instanceFile = (name: string, pid: number): string => {
      const dir = mkdtempSync(path.join(folder, name));
      writeFileSync(path.join(dir, 'instance.json'), JSON.stringify({ pid, console_address: address }));
      return dir;
    };

    it('finds it by the data folder, with --data anywhere on the command line', async () => {
      const dir = instanceFile('data', process.pid);
      expect((await runCommand(['--data', dir, 'catalog', 'export'], {})).status).to.equal(0);
      expect(
        (await runCommand(['catalog', 'export', '--data', dir], { PLACARD_ADDRESS: '127.0.0.1:1' })).status,
      ).to.equal(0);
    });

    it('reports when none runs', async () => {
      for (const dir of [path.join(folder, 'nowhere'), instanceFile('stale', PID_OF_NOBODY)]) {
        const { status, err } = await runCommand(['catalog', 'export', '--data', dir], {});
        expect(status).to.equal(1);
        expect(err).to.match(/^placard: no instance is running .*npm start.*\n$/);
      }
      const { status, err } = await runCommand(['catalog', 'export'], { PLACARD_ADDRESS: '127.0.0.1:1' });
      expect(status).to.equal(1);
      expect(err).to.match(/^placard: the instance at 127\.0\.0\.1:1 cannot be reached\. .*\n$/);
    });
  });
});

function rowOf(overrides: Partial<ReportRow>): ReportRow {
  return {
    keys: [],
    requests: 7n,
    fills: 4n,
    hasNoFills: true,
    noFills: { frequency_capped: 3n, test_no_fill: 0n },
    impressions: 3n,
    clicks: 1n,
    rewards: 0n,
    fallbacks: undefined,
    hasRejected: false,
    rejected: {},
    spendNanos: 7_500_000n,
    revenueNanos: 5_250_000n,
    ...overrides,
  };
}
