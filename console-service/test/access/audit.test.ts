import { expect } from 'chai';
import { answerOf, onceOnly } from '../../src/cli/session.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { ADMIN_KEY, makeApi } from '../support/manage-client.js';
import { runCommand, type CommandOutcome } from '../support/run-command.js';

const CATALOG = 'advertisers: [{ id: adv_a, name: A, balance: 5 }]';
const PASSWORD = 'correct horse battery staple';

interface Page {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string | null;
}

describe('the audit', () => {
  let instance: TestConsole;
  let finance: { readonly id: string; readonly text: string };
  before(async () => {
    instance = await openTestConsole();
    const { client } = instance;
    await client.applyCatalog({ file: CATALOG, prune: false, onlyIfEmpty: false });
    await client.applyCatalog({ file: CATALOG.replace('A,', 'B,'), prune: false, onlyIfEmpty: false });
    await client.deposit({ advertiserId: 'adv_a', amount: '2.50', reference: 'INV-1' });
    const body = { name: 'books', role: 'finance' };
    const made = await answerOf(api().POST('/keys', { params: { header: onceOnly() }, body }));
    finance = { id: made.key.id, text: made.text };
    expect((await api(finance.text).GET('/audit')).response.status).to.equal(403);
    const user = { name: 'Ann', role: 'readonly', password: PASSWORD };
    await answerOf(api().POST('/users', { params: { header: onceOnly() }, body: user }));
    await answerOf(api('').POST('/sessions', { body: { name: 'Ann', password: PASSWORD } }));
  });
  after(() => instance.close());

  const api = (key?: string) => makeApi(instance.ports.managePort, key);
  const run = (...args: readonly string[]): Promise<CommandOutcome> =>
    runCommand(['audit', ...args], instance.commandEnv);
  const pageOf = async (...args: readonly string[]): Promise<Page> => {
    const { out, err } = await run('--format', 'json', ...args);
    expect(err).to.equal('');
    return JSON.parse(out) as Page;
  };

  it('has changes, bookings, keys, users, log-ins and refusals with their actors, newest first', async () => {
    const { rows } = await pageOf();
    const bootstrap = 'key_0000000000000000';
    expect(
      rows.map(({ actor, what, kind, subject, details }) => [
        String(actor).split(' ')[0],
        what,
        kind,
        subject,
        details,
      ]),
    ).to.deep.include.members([
      [bootstrap, 'created', 'advertiser', 'adv_a', []],
      [bootstrap, 'deposited', 'advertiser', 'adv_a', ['reference: opening:adv_a', 'amount: 5.000000000']],
      [bootstrap, 'updated', 'advertiser', 'adv_a', ['name: A → B']],
      [bootstrap, 'deposited', 'advertiser', 'adv_a', ['reference: INV-1', 'amount: 2.500000000']],
      [bootstrap, 'key_created', null, finance.id, ['name: books', 'role: finance']],
      [finance.id, 'refused', null, 'readAudit', ['reason: role']],
    ]);
    expect(rows.map(({ what }) => what)).to.include.members(['user_created', 'session_begun']);
    const instants = rows.map(({ at }) => String(at));
    expect(instants).to.deep.equal([...instants].sort().reverse());
  });

  it('has no secret: no text of a key, no password and no token', async () => {
    const text = JSON.stringify(await pageOf('--limit', '1000'));
    for (const secret of [ADMIN_KEY.slice(-64), finance.text.slice(-64), PASSWORD, 'plk_', 'argon2'])
      expect(text).not.to.include(secret);
  });

  it('is read page by page, each row once, also rows of the same instant', async () => {
    await instance.db.pool.query(
      `WITH number AS (SELECT generate_series(1, 5) AS n), changes AS (
         INSERT INTO audit.changes (version, changed_at, actor, action, kind, object_id)
         SELECT n, '2026-01-05T10:00:00.000123Z', 'old', 'closed', 'month', '2025-12' FROM number
       )
       INSERT INTO audit.access (at, actor, action, subject, detail)
       SELECT '2026-01-05T10:00:00.000123Z', 'old', 'refused', 'loop', '{}' FROM number`,
    );
    const all = (await pageOf('--actor', 'OLD', '--limit', '1000')).rows.map(({ id }) => id);
    expect(all).to.have.length(10);
    const seen: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Page = await pageOf(
        ...['--actor', 'old', '--limit', '3'],
        ...(cursor === undefined ? [] : ['--cursor', cursor]),
      );
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).to.deep.equal(all);
  });

  it('is filtered by actor, by what was done, and by days or instants', async () => {
    const by = async (...args: readonly string[]) => (await pageOf(...args)).rows.map(({ what }) => what);
    expect(await by('--actor', finance.id)).to.deep.equal(['refused']);
    expect(await by('--what', 'key_created,user_created')).to.have.members([
      ...['user_created', 'key_created', 'key_created'],
    ]);
    const ofDay = ['--from', '2026-01-05', '--to', '2026-01-05', '--what', 'closed'];
    expect(await by(...ofDay)).to.have.length(5);
    expect(await by('--to', '2026-01-05T10:00:00Z')).to.deep.equal([]);
    expect(await by('--from', '2026-01-05T10:00:00Z', '--to', '2026-01-05T10:00:01Z')).to.have.length(10);
  });

  it('refuses wrong values with the field and what is allowed', async () => {
    for (const [args, wanted] of [
      [['--what', 'removed_key'], /what\[0\]: .*key_revoked/],
      [['--cursor', 'x'], /cursor: /],
      [['--from', 'monday'], /--from monday is not a date/],
      [['--limit', '0'], /--limit is 0/],
      [['--from', '2026-02-02', '--to', '2026-02-01'], /range is empty/],
    ] as const) {
      const { status, out, err } = await run(...args);
      expect({ status, out }, args.join(' ')).to.deep.equal({ status: 1, out: '' });
      expect(err).to.match(wanted);
    }
  });

  it('is a table and CSV as well, and the table has the cursor of the next page', async () => {
    const { out } = await run('--what', 'closed', '--limit', '1');
    const { next_cursor: next } = await pageOf('--what', 'closed', '--limit', '1');
    expect(out).to.match(
      /^at +actor +what +subject +details\n2026-01-05T10:00:00\.000Z +old +closed +month 2025-12\n/,
    );
    expect(out.split('\n')[2]).to.equal(`There are older rows. Add --cursor ${next ?? ''} to see them.`);
    const csv = (await run('--what', 'deposited', '--format', 'csv')).out.split('\r\n');
    expect(csv[0]).to.equal('id,at,actor,what,kind,subject,version,details');
    expect(csv[1]).to.match(
      /^changes-\d+,20[^,]+Z,key_0{16} [^,]+,deposited,advertiser,adv_a,\d+,reference: INV-1; amount: 2\.500000000$/,
    );
  });
});
