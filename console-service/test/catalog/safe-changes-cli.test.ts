import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SECOND_ADVERTISER, TWO_ADVERTISERS } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { runCommand } from '../support/run-command.js';

describe('changing the catalog safely from the command line', () => {
  let instance: TestConsole;
  let folder: string;

  before(async () => {
    instance = await openTestConsole();
    folder = mkdtempSync(path.join(tmpdir(), 'placard-safe-'));
    expect((await run('catalog', 'apply', fileOf(TWO_ADVERTISERS))).status).to.equal(0);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await instance.close();
  });

  const run = (...args: readonly string[]) => runCommand(args, instance.commandEnv);
  const fileOf = (text: string): string => {
    const file = path.join(folder, 'catalog.yaml');
    writeFileSync(file, text);
    return file;
  };
  const exported = async (): Promise<string> => (await run('catalog', 'export')).out;
  /** Without the first line, which has the version. */
  const content = async (): Promise<string> => (await exported()).replace(/^.*\n/, '');

  it('an export begins with its version, and a file that is based on an older one is refused', async () => {
    expect((await exported()).split('\n')[0]).to.equal(
      '# Version 2 of the catalog. Apply an edited copy with --if-version 2, so that it undoes no later change.',
    );
    const mine = (await exported()).replace('bid_cpm: "2.50"', 'bid_cpm: "5.00"');
    await run('catalog', 'apply', fileOf('advertisers: [{ id: adv_fjord, name: Fjord AS }]'));
    const { status, out, err } = await run('catalog', 'apply', fileOf(mine), '--if-version', '2');
    expect({ status, out }).to.deep.equal({ status: 1, out: '' });
    expect(err).to.match(
      /^advertiser adv_fjord: updated in version 3 at 20\S+Z by \S+ \(.+\) \(name: Fjord → Fjord AS\)\nplacard: The catalog has changed since the version of the file and has version 3\. Nothing was changed\. .*\n$/,
    );
    expect(await content())
      .to.contain('name: Fjord AS')
      .and.to.contain('bid_cpm: "2.50"');
  });

  it('a mistaken prune is previewed, refused, made and reverted', async () => {
    const before = await content();
    const file = fileOf(SECOND_ADVERTISER);
    const removed = [
      'advertiser adv_northwind',
      'campaign cmp_fjord_banner',
      'campaign cmp_spring',
      'creative cr_spring_banner',
    ];
    const dry = await run('catalog', 'apply', file, '--prune', '--dry-run');
    expect(dry.out.trimEnd().split('\n')).to.have.members([
      ...removed.map((name) => `removed ${name}`),
      'note: 4 objects would be removed, 3 of them outside the parents that the file lists. That needs a confirmation.',
      'dry run, nothing changed: 0 created, 0 updated, 4 removed',
    ]);
    const refused = await run('catalog', 'apply', file, '--prune');
    expect(refused).to.include({ status: 1, out: '' });
    expect(refused.err.trimEnd().split('\n')).to.have.members([
      ...removed.map((name) => `${name}: would be removed`),
      'placard: 4 objects would be removed, 3 of them outside the parents that the file lists. Nothing was changed. If you want that, confirm it (--yes, confirm=true).',
    ]);
    expect(await content()).to.equal(before);
    const made = await run('catalog', 'apply', file, '--prune', '--yes');
    expect(made.out).to.match(/0 created, 0 updated, 4 removed \(version 4\)\n$/);
    const reverted = await run('catalog', 'revert', '4');
    expect(reverted.out).to.match(/4 created, 0 updated, 0 removed \(version 5\)\n$/);
    expect(await content()).to.equal(before);
    expect((await run('catalog', 'revert', '4')).out).to.equal('nothing changed (version 5)\n');
  });

  it('a version that later ones build on is reverted only with --yes', async () => {
    await run('catalog', 'apply', fileOf('advertisers: [{ id: adv_new, name: New }]'));
    await run('catalog', 'apply', fileOf('advertisers: [{ id: adv_new, name: Newer }]'));
    const refused = await run('catalog', 'revert', '6');
    expect(refused).to.include({ status: 1, out: '' });
    expect(refused.err).to.match(
      /^advertiser adv_new: updated in version 7 at .*\(name: New → Newer\)\nplacard: Later versions changed the same objects\. .*\n$/,
    );
    expect((await run('catalog', 'revert', '6', '--yes')).out).to.match(/^removed advertiser adv_new\n/);
    expect((await run('catalog', 'revert', '99')).err).to.equal(
      'placard: No object of the catalog was changed under version 99.\n',
    );
  });

  it('a campaign is paused, resumed and ended by its id, and has that in its history', async () => {
    expect((await run('campaign', 'pause', 'cmp_fjord_banner')).out).to.match(
      /^updated campaign cmp_fjord_banner\n {2}status: active → paused\n/,
    );
    expect((await run('campaign', 'pause', 'cmp_fjord_banner')).out).to.match(/^nothing changed/);
    await run('campaign', 'resume', 'cmp_fjord_banner');
    await run('campaign', 'end', 'cmp_fjord_banner');
    expect((await run('campaign', 'resume', 'cmp_fjord_banner')).err).to.match(
      /^placard: Campaign cmp_fjord_banner has ended\./,
    );
    expect((await run('campaign', 'end', 'cmp_x')).err).to.match(/^placard: There is no campaign cmp_x\./);
    expect((await run('campaign', 'end', 'adv_fjord')).status).to.equal(1);
    const { out } = await run('catalog', 'history', 'cmp_fjord_banner', '--format', 'json');
    const { rows, next_cursor } = JSON.parse(out) as { rows: Record<string, unknown>[]; next_cursor: null };
    expect(next_cursor).to.equal(null);
    expect(rows.map(({ change, details }) => [change, details])).to.deep.equal([
      ['updated', ['status: active → ended']],
      ['updated', ['status: paused → active']],
      ['updated', ['status: active → paused']],
      ['created', []],
      ['removed', []],
      ['created', []],
    ]);
    expect(rows[0]).to.include.all.keys('version', 'at', 'actor', 'id', 'before', 'after');
    expect(rows[0]?.['after']).to.have.property('status', 'ended');
    expect(rows[0]?.['after']).to.have.property('targeting').that.deep.includes({ app_ids: [] });
  });

  it('the history is a table and CSV as well, and says when there is more', async () => {
    const { out } = await run('catalog', 'history', '--limit', '1');
    expect(out).to.match(
      /^version +at +actor +id +change +fields\n\d+ +20\S+Z +.+ cmp_fjord_banner +updated +status: active → ended\nThere are older rows\. Add --cursor \d+ to see them\.\n$/,
    );
    const [, cursor = ''] = /--cursor (\d+)/.exec(out) ?? [];
    expect((await run('catalog', 'history', '--limit', '1', '--cursor', cursor)).out).to.match(
      /\n\d+ +20\S+Z +.+ cmp_fjord_banner +updated +status: paused → active\n/,
    );
    expect((await run('catalog', 'history', 'adv_new', '--format', 'csv')).out).to.match(
      /^version,at,actor,id,change,before,after\r\n8,[^\r\n]*,adv_new,removed,"\{""name"":""Newer""[^\r\n]*\}",\r\n/,
    );
    expect(await run('catalog', 'history', 'cmp_typo')).to.deep.equal({
      status: 1,
      out: '',
      err: 'placard: The catalog never had an object cmp_typo. The id of a placement is app_id/code.\n',
    });
    expect(await run('catalog', 'history', 'global')).to.include({ status: 0 });
    expect((await run('catalog', 'history', '--limit', '0')).err).to.match(
      /^placard: --limit is 0 and must be/,
    );
  });

  it('a wrong command line is refused with one line that gives the next step', async () => {
    for (const args of [
      ['catalog', 'revert', 'v2'],
      ['catalog', 'apply', 'x.yaml', '--if-version', '0'],
      ['catalog', 'history', '--limit', '1001'],
      ['campaign', 'stop', 'cmp_fjord_banner'],
    ]) {
      const { status, out, err } = await run(...args);
      expect({ status, out }, args.join(' ')).to.deep.equal({ status: 1, out: '' });
      expect(err, args.join(' ')).to.match(/^placard: [^\n]+\.[^\n]*\n$/);
    }
  });

  it('every command is explained with --help', async () => {
    for (const args of [
      'catalog show',
      'catalog history',
      'catalog revert',
      'campaign pause',
      'campaign end',
    ])
      expect((await run(...args.split(' '), '--help')).out, args).to.match(/^Usage: placard /);
  });

  it('an object is shown as a file that apply accepts', async () => {
    const { out } = await run('catalog', 'show', 'cmp_spring');
    expect(out).to.match(
      /^# A part of version \d+ of the catalog\. .*\nadvertisers:\n {2}- id: adv_northwind\n/,
    );
    expect((await run('catalog', 'apply', fileOf(out))).out).to.match(/nothing changed/);
    expect((await run('catalog', 'show', 'cmp_x')).err).to.match(/^placard: There is no object cmp_x/);
  });

  it('validate and apply print warnings, and go on', async () => {
    const file = fileOf(
      'advertisers: [{ id: adv_typo, name: T, campaigns: [{ id: cmp_typo, name: T, bid_cpm: 1 }] }]',
    );
    const warnings =
      /^warning: advertisers\[0\]\.approved: .*\nwarning: advertisers\[0\]\.balance: .*\nwarning: advertisers\[0\]\.campaigns\[0\]\.creatives: has none, .*\n/;
    const valid = await run('catalog', 'validate', file);
    expect(valid).to.include({ status: 0, err: '' });
    expect(valid.out)
      .to.match(warnings)
      .and.to.match(/ is valid: 2 objects\n$/);
    const applied = await run('catalog', 'apply', file);
    expect(applied).to.include({ status: 0, err: '' });
    expect(applied.out.replace(/^created .*\n/gm, '')).to.match(warnings);
  });
});
