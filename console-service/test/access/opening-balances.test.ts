import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answerOf, onceOnly, problemOf } from '../../src/cli/session.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { makeApi } from '../support/manage-client.js';
import { runCommand } from '../support/run-command.js';

const FILE = JSON.stringify({
  publishers: [{ id: 'pub_new', name: 'New', revenue_share: 0.5 }],
  advertisers: [
    { id: 'adv_poor', name: 'Poor', balance: 0 },
    { id: 'adv_rich', name: 'Rich', balance: 1_000_000_000 },
  ],
});

describe('an opening balance from a key of the role adops', () => {
  let instance: TestConsole;
  let api: ReturnType<typeof makeApi>;
  let text: string;
  beforeEach(async () => {
    instance = await openTestConsole();
    const admin = makeApi(instance.ports.managePort);
    const body = { name: 'ads', role: 'adops' };
    ({ text } = await answerOf(admin.POST('/keys', { params: { header: onceOnly() }, body })));
    api = makeApi(instance.ports.managePort, text);
  });
  afterEach(() => instance.close());

  const create = (body: { readonly id: string; readonly name: string; readonly balance?: string }) =>
    api.POST('/advertisers', { params: { header: onceOnly() }, body });
  const apply = (file: string, isDryRun = false) =>
    api.POST('/catalog/apply', {
      params: { query: { dry_run: isDryRun } },
      body: file,
      bodySerializer: (body) => body,
      headers: { 'Content-Type': 'application/yaml' },
    });
  const stored = async () => {
    const { rows } = await instance.db.pool.query<{ row: string }>(
      `SELECT 'object ' || id AS row FROM catalog.objects WHERE kind <> 'global'
       UNION ALL SELECT 'deposit ' || reference FROM accounts.deposits ORDER BY row`,
    );
    return rows.map(({ row }) => row);
  };

  it('of a new advertiser is refused with 403, which names the field and who may do it, and nothing is changed', async () => {
    const { error, response } = await create({ id: 'adv_rich', name: 'Rich', balance: '1000000000' });
    expect(response.status).to.equal(403);
    const { code, detail, errors } = problemOf(error);
    expect(code).to.equal('permission_denied');
    expect(detail).to.contain('moves money, which only admin and finance may do. Nothing was changed.');
    expect(errors).to.deep.equal([{ field: 'balance', detail: 'would be credited' }]);
    expect(await stored()).to.deep.equal([]);
  });

  it('in a catalog file refuses the whole file, and a dry run says the same', async () => {
    for (const isDryRun of [true, false]) {
      const { error, response } = await apply(FILE, isDryRun);
      expect(response.status).to.equal(403);
      expect(problemOf(error).errors).to.deep.equal([
        { field: 'advertisers[1].balance', detail: 'would be credited' },
      ]);
      expect(await stored()).to.deep.equal([]);
    }
  });

  it('is refused at the command line with its place in the file', async () => {
    const env = { ...instance.commandEnv, PLACARD_KEY: text };
    const folder = mkdtempSync(path.join(tmpdir(), 'placard-money-'));
    const file = path.join(folder, 'catalog.yaml');
    writeFileSync(file, FILE);
    const { status, err } = await runCommand(['catalog', 'apply', file], env);
    rmSync(folder, { recursive: true });
    expect(status).to.equal(1);
    expect(err).to.contain(
      'advertisers[1].balance: would be credited\nplacard: An opening balance moves money',
    );
  });

  it('of zero, or of an advertiser that is there already, moves nothing and is accepted', async () => {
    await answerOf(create({ id: 'adv_poor', name: 'Poor', balance: '0' }));
    await answerOf(create({ id: 'adv_rich', name: 'Rich' }));
    const { notes } = await answerOf(apply(FILE));
    expect(notes.join()).to.contain('advertisers[1].balance: stays 0.00');
    expect(await stored()).to.deep.equal(['object adv_poor', 'object adv_rich', 'object pub_new']);
  });
});
