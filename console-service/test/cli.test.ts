import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { EXAMPLE, exampleWith } from './support/catalog-text.js';
import { openTestConsole, type TestConsole } from './support/console.js';
import { ADMIN_KEY } from './support/manage-client.js';
import { runCommand } from './support/run-command.js';

/** A process id that no process has: Linux never gives one that large. */
const PID_OF_NOBODY = 2 ** 30;

describe('the placard command', () => {
  let instance: TestConsole;
  let folder: string;

  before(async () => {
    instance = await openTestConsole();
    folder = mkdtempSync(path.join(tmpdir(), 'placard-cli-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await instance.close();
  });

  const run = (...args: readonly string[]) => runCommand(args, instance.commandEnv);
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
    expect((await run('catalog', 'apply', file, '--prune', '--yes')).out).to.match(
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
      'credited 250.000000000 USD to adv_northwind (reference INV-7)\n',
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
      currency: 'USD',
    });
    expect((await run('ledger', 'balances')).out).to.match(
      /^kind +id +balance USD\nadvertiser +adv_northwind +751\.000000000\n/,
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
      const keyFile = path.join(dir, 'key');
      writeFileSync(keyFile, `${ADMIN_KEY}\n`);
      const manageUrl = `http://127.0.0.1:${instance.ports.managePort}`;
      const content = { pid, manage_url: manageUrl, key_file: keyFile };
      writeFileSync(path.join(dir, 'instance.json'), JSON.stringify(content));
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
      const env = { PLACARD_ADDRESS: '127.0.0.1:1', PLACARD_KEY: ADMIN_KEY };
      const { status, err } = await runCommand(['catalog', 'export'], env);
      expect(status).to.equal(1);
      expect(err).to.match(/^placard: the instance at 127\.0\.0\.1:1 cannot be reached\. .*\n$/);
    });
  });
});
