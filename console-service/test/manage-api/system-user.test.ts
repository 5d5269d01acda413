import { expect } from 'chai';
import { runPlacard } from '../../src/cli/program.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { ADMIN_KEY, makeApi } from '../support/manage-client.js';
import { CATALOG } from './known-requests.js';

const KEY_ID = 'key_0000000000000000';

describe('the system user of a command in the audit', () => {
  let instance: TestConsole;
  before(async () => {
    instance = await openTestConsole();
    await instance.client.applyCatalog({ file: CATALOG, prune: false, onlyIfEmpty: false });
  });
  after(() => instance.close());

  /** Runs a command as a system user; answers its output. */
  const runAs = async (userName: string | undefined, ...args: readonly string[]): Promise<string> => {
    let out = '';
    let err = '';
    const io = {
      env: instance.commandEnv,
      out: (text: string) => (out += text),
      err: (text: string) => (err += text),
    };
    expect(await runPlacard(args, { ...io, userName }), err).to.equal(0);
    return out;
  };
  const actorOfNewest = async (): Promise<string> => {
    const { rows } = JSON.parse(await runAs('reader', 'catalog', 'history', '--format', 'json')) as {
      readonly rows: readonly { readonly actor: string }[];
    };
    return rows[0]?.actor ?? '';
  };

  it('stands in the history behind the key, which alone is the actor', async () => {
    await runAs('ann', 'campaign', 'pause', 'cmp_a');
    expect(await actorOfNewest()).to.match(new RegExp(`^${KEY_ID} \\(.+\\), system user ann$`));
    await runAs(undefined, 'campaign', 'resume', 'cmp_a');
    expect(await actorOfNewest()).to.match(new RegExp(`^${KEY_ID} \\([^)]+\\)$`));
  });

  it('stands behind a booking and behind a new key', async () => {
    await runAs('ben', 'advertiser', 'deposit', 'adv_a', '1', '--reference', 'R1');
    await runAs('ben', 'key', 'create', '--role', 'adops', '--name', 'ci');
    const { rows } = await instance.db.pool.query<{ actor: string }>(
      `SELECT actor FROM audit.changes WHERE action = 'deposited' AND after ->> 'reference' = 'R1'
       UNION ALL SELECT actor FROM audit.access WHERE action = 'key_created' AND detail ->> 'name' = 'ci'`,
    );
    expect(rows).to.have.length(2);
    for (const { actor } of rows) expect(actor).to.match(/, system user ben$/);
  });

  it('decides nothing, and is left out when it is not plain', async () => {
    const api = makeApi(instance.ports.managePort, `plk_${'1'.repeat(16)}_${'1'.repeat(64)}`);
    const refused = await api.GET('/me', { headers: { 'Placard-System-User': 'root' } });
    expect(refused.response.status).to.equal(401);
    const admin = makeApi(instance.ports.managePort, ADMIN_KEY);
    await admin.POST('/campaigns/{id}/end', {
      params: { path: { id: 'cmp_a' } },
      headers: { 'Placard-System-User': 'key_1 (root)' },
    });
    expect(await actorOfNewest()).to.match(new RegExp(`^${KEY_ID} \\([^)]+\\)$`));
  });
});
