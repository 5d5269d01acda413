import { expect } from 'chai';
import { parse } from 'yaml';
import type { Balances, Verification } from '../driver/books.js';
import { freshWord } from '../driver/catalog.js';
import { expectAccepted } from '../driver/expect.js';
import { runPlacard, spawnPlacard, type CommandResult } from '../driver/placard.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app } = world.pair();
const advertiser = world.advertiser({ balance: 5 });
const buyer = world.advertiser();
const campaign = world.campaign({ apps: [world.app()], advertiser: buyer });

/** A port on which nothing listens. */
const NOBODY = '127.0.0.1:9';

describe('placard advertiser deposit', () => {
  world.use();

  const deposit = (id: string, amount: string, reference: string) =>
    world.placard('advertiser', 'deposit', id, amount, '--reference', reference);
  const balance = async (): Promise<bigint> => (await world.balances()).get(`advertiser/${advertiser.id}`)!;

  it('books an amount once per reference; a repetition books nothing and exits 0', async () => {
    const reference = `INV-${freshWord()}`;
    const before = await balance();
    expect((await deposit(advertiser.id, '250.000000001', reference)).status).to.equal(0);
    expect((await deposit(advertiser.id, '250.000000001', reference)).status).to.equal(0);
    expect((await balance()) - before).to.equal(250_000_000_001n);
  });

  it('refuses another amount or another advertiser for a booked reference', async () => {
    const reference = `INV-${freshWord()}`;
    const other = world.advertiser();
    await world.apply();
    expect((await deposit(advertiser.id, '1', reference)).status).to.equal(0);
    const before = await balance();
    for (const [id, amount] of [
      [advertiser.id, '2'],
      [other.id, '1'],
    ] as const) {
      const result = await deposit(id, amount, reference);
      expect(result.status, result.stdout).to.not.equal(0);
      expect(result.stderr).to.not.equal('');
    }
    expect(await balance()).to.equal(before);
  });

  it('books a reference once in any spelling, and refuses look-alikes', async () => {
    const reference = `R\u00e9f-${freshWord()}`;
    const before = await balance();
    expect((await deposit(advertiser.id, '1', reference)).status).to.equal(0);
    expect((await deposit(advertiser.id, '1', reference.normalize('NFD'))).status).to.equal(0);
    for (const unseen of ['\u3164', '\u2800', '\u034f', '\ufe0f', '\u200b', '\u00ad', '\u00a0', '\u2011']) {
      const place = Math.floor(reference.length / 2);
      for (const other of [reference + unseen, reference.slice(0, place) + unseen + reference.slice(place)]) {
        const result = await deposit(advertiser.id, '1', other);
        expect(result.status, JSON.stringify(other)).to.equal(1);
        expect(result.stderr).to.match(/U\+[0-9A-F]{4} \([^)]+\) at character \d+/);
      }
    }
    expect((await balance()) - before).to.equal(1_000_000_000n);
  });

  for (const amount of ['0', '-5', '1.0000000001', 'ten', '', '1e3', 'NaN']) {
    it(`refuses the amount "${amount}" and leaves the reference free`, async () => {
      const reference = `INV-${freshWord()}`;
      const refused = await world.placard(
        'advertiser',
        'deposit',
        '--reference',
        reference,
        '--',
        advertiser.id,
        amount,
      );
      expect(refused.status).to.not.equal(0);
      expect(refused.stderr).to.not.equal('');
      expect((await deposit(advertiser.id, '0.5', reference)).status).to.equal(0);
    });
  }

  it('refuses an unknown advertiser and leaves the reference free', async () => {
    const reference = `INV-${freshWord()}`;
    expect((await deposit('adv_nobody', '1', reference)).status).to.not.equal(0);
    expect((await deposit(advertiser.id, '1', reference)).status).to.equal(0);
  });
});

describe('placard ledger', () => {
  world.use();

  it('balances --json lists accounts by kind and id with nine decimals, and their sum', async () => {
    const result = await world.placard('ledger', 'balances', '--json');
    const balances = JSON.parse(result.stdout) as Balances;
    expect(balances).to.have.all.keys('accounts', 'sum', 'currency');
    for (const account of balances.accounts) {
      expect(account).to.have.all.keys('kind', 'id', 'balance');
      expect(account.kind).to.be.oneOf(['advertiser', 'publisher', 'platform', 'deposits', 'payouts']);
      expect(account.balance).to.match(/^-?[0-9]+\.[0-9]{9}$/);
      if (account.kind === 'platform' || account.kind === 'deposits')
        expect(account.id).to.equal(account.kind);
    }
  });

  it('statement accepts the months from 1970-01 to 9999-12, and no others', async () => {
    for (const account of ['platform', 'deposits', `advertiser:${advertiser.id}`])
      for (const month of ['1970-01', '9999-12']) {
        const result = await world.placard('ledger', 'statement', account, '--month', month);
        expect(result.status, result.stderr).to.equal(0);
      }
    for (const month of ['0001-01', '1969-12', '10000-01']) {
      const result = await world.placard('ledger', 'statement', 'platform', '--month', month);
      expect(result.status).to.equal(1);
      expect(result.stderr).to.contain(`${month} is not a month from 1970-01 to 9999-12`);
    }
  });

  it('balances and verify print text without --json', async () => {
    const balances = await world.placard('ledger', 'balances');
    expect(balances.status).to.equal(0);
    expect(balances.stdout).to.contain(advertiser.id);
    const verified = await world.placard('ledger', 'verify');
    expect(verified.status, verified.stdout).to.equal(0);
  });

  it('verify --wait --json prints ok and its checks, and exits 0, once everything is settled', async () => {
    const phone = await world.phone(app);
    for (const fill of await phone.fills(10, 'banner')) expectAccepted(await phone.impression(fill));
    const result = await world.placard('ledger', 'verify', '--wait', '--json');
    const verification = JSON.parse(result.stdout) as Verification;
    expect(verification.ok, result.stdout).to.equal(true);
    expect(result.status).to.equal(0);
  });
});

describe('placard report', () => {
  world.use();

  it('prints a table, JSON or CSV', async () => {
    const table = await world.placard('report', '--by', 'app');
    expect(table.status).to.equal(0);
    expect(table.stdout).to.contain(app.id);
    const csv = await world.placard('report', '--by', 'app,day', '--format', 'csv');
    const lines = csv.stdout.trim().split(/\r?\n/);
    expect(lines[0]!.split(',').slice(0, 2)).to.deep.equal(['app', 'day']);
    expect(lines.some((line) => line.startsWith(`${app.id},`))).to.equal(true);
    const json = await world.placard('report', '--by', 'app', '--format', 'json');
    expect(JSON.parse(json.stdout)).to.include.all.keys('as_of', 'from', 'to', 'currency', 'rows', 'total');
  });

  for (const args of [
    ['--by', 'colour'],
    ['--from', 'yesterday'],
    ['--from', '2026-02-31'],
    ['--from', '2026-02-02', '--to', '2026-02-01'],
    ['--format', 'xml'],
  ]) {
    it(`refuses ${args.join(' ')} with a message and a non-zero status`, async () => {
      const result = await world.placard('report', ...args);
      expect(result.status).to.not.equal(0);
      expect(result.stderr).to.not.equal('');
      expect(result.stderr).to.not.match(/\n\s+at /);
    });
  }
});

interface Exported {
  readonly advertisers: readonly { readonly id: string }[];
}

describe('placard catalog', () => {
  world.use();

  const succeed = ({ status, stdout, stderr }: CommandResult): string => {
    expect(status, stderr).to.equal(0);
    return stdout;
  };
  /** An object as it is stored, without the version in the first line. */
  const show = async (id: string): Promise<string> =>
    succeed(await world.placard('catalog', 'show', id)).replace(/^.*\n/, '');

  it('a prune that was meant for one advertiser is previewed, refused, made, and reverted by one command', async () => {
    const mine = buyer.id;
    const other = `adv_${freshWord()}`;
    succeed(
      await world.applyFile({ advertisers: [{ id: other, name: 'Other', approved: true, balance: 5 }] }),
    );
    const exported = parse(succeed(await world.placard('catalog', 'export'))) as Exported;
    // The other tests keep their advertisers.
    const kept = exported.advertisers.map(({ id }) => id).filter((id) => id !== mine && id !== other);
    const mistake = { advertisers: [{ id: mine, campaigns: [] }, ...kept.map((id) => ({ id }))] };
    const before = [await show(mine), await show(other)];

    const preview = succeed(await world.applyFile(mistake, ['--prune', '--dry-run']));
    expect(preview)
      .to.contain(`removed campaign ${campaign.id}\n`)
      .and.to.contain(`removed advertiser ${other}\n`);
    expect(preview).to.match(/\ndry run, nothing changed: 0 created, 0 updated, 5 removed\n$/);
    const refused = await world.applyFile(mistake, ['--prune']);
    expect({ status: refused.status, stdout: refused.stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(refused.stderr).to.contain(`advertiser ${other}: would be removed\n`);
    expect([await show(mine), await show(other)], 'nothing was changed').to.deep.equal(before);

    const made = succeed(await world.applyFile(mistake, ['--prune', '--yes']));
    const version = /\(version (\d+)\)\n$/.exec(made)?.[1] ?? '';
    expect((await world.placard('catalog', 'show', other)).status).to.equal(1);
    succeed(await world.placard('catalog', 'revert', version));
    expect([await show(mine), await show(other)]).to.deep.equal(before);
  });

  it('an export that a colleague has overtaken is refused, also from standard input', async () => {
    const mine = succeed(await world.placard('catalog', 'export'));
    const version = /^# Version (\d+) /.exec(mine)?.[1] ?? '';
    const theirs = { id: campaign.id, name: 'Theirs' };
    succeed(await world.applyFile({ advertisers: [{ id: buyer.id, campaigns: [theirs] }] }));
    const args = ['catalog', 'apply', '-', '--if-version', version];
    const stale = await spawnPlacard(world.running.consoleAddress, args, mine);
    expect(stale.status).to.equal(1);
    expect(stale.stderr).to.match(
      new RegExp(
        `^campaign ${campaign.id}: updated in version \\d+ at .* by .*\\(name: Campaign → Theirs\\)$`,
        'm',
      ),
    );
    expect(await show(campaign.id)).to.contain('name: Theirs\n');
  });
});

describe('placard in a process of its own', () => {
  world.use();

  it('writes only JSON to standard output, and exits 0', async () => {
    const result = await spawnPlacard(world.running.consoleAddress, ['ledger', 'balances', '--json']);
    expect(result.status, result.stderr).to.equal(0);
    expect(JSON.parse(result.stdout)).to.have.all.keys('accounts', 'sum', 'currency');
  });

  it('exits 1 with the faults on standard error when a catalog is refused', async () => {
    const result = await world.withFile('global: { serving_enabled: maybe }', (name) =>
      spawnPlacard(world.running.consoleAddress, ['catalog', 'apply', name]),
    );
    expect(result.status).to.equal(1);
    expect(result.stderr).to.contain('global.serving_enabled');
  });
});

describe('placard without an instance', () => {
  world.use();

  it('reports that none runs', async () => {
    const result = await runPlacard(NOBODY, ['ledger', 'balances']);
    expect(result.status).to.not.equal(0);
    expect(result.stderr).to.not.equal('');
    expect(result.stderr).to.not.match(/\n\s+at /);
  });

  it('validates a catalog file', async () => {
    const good = JSON.stringify(world.file());
    const valid = await world.withFile(good, (name) => runPlacard(NOBODY, ['catalog', 'validate', name]));
    expect(valid.status, valid.stderr).to.equal(0);
    const bad = await world.withFile('publishers: [{ id: 1 }]', (name) =>
      runPlacard(NOBODY, ['catalog', 'validate', name]),
    );
    expect(bad.status).to.equal(1);
    expect(bad.stderr).to.contain('publishers[0]');
  });

  it('refuses an unknown command and a missing file', async () => {
    expect((await runPlacard(NOBODY, ['dance'])).status).to.not.equal(0);
    expect((await runPlacard(NOBODY, ['catalog', 'validate', '/nowhere/catalog.yaml'])).status).to.not.equal(
      0,
    );
  });
});
