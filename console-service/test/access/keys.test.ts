import { makePool } from '@placard/service-kit/postgres';
import { systemRandom } from '@placard/service-kit/pure';
import { codeOf, makeTestClock, makeTestScope, type TestClock } from '@placard/service-kit/testing';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { Actor } from '../../src/access/domain/actor.js';
import { makeKeyText, type KeyText } from '../../src/access/domain/api-key.js';
import { openAccess, type Access } from '../../src/access/open-access.js';
import { makePgKeyStore } from '../../src/access/store/key-store.pg.js';
import type { KeyStore } from '../../src/access/store/key-store.js';
import { makePgCatalogStore } from '../../src/catalog/store/catalog-store.pg.js';
import { changeOf } from '../catalog/catalog-store.suite.js';

const MIGRATIONS = { schema: 'catalog', dir: fileURLToPath(new URL('../../migrations', import.meta.url)) };
const NOW_MS = Date.UTC(2026, 10, 1, 12);
const SUNRISE = { kind: 'publisher', id: 'pub_sunrise' } as const;
const ROOT: Actor = { kind: 'key', id: 'key_root', name: 'root', role: { kind: 'admin' } };

describe('API keys', () => {
  let database: TestDatabase;
  let clock: TestClock;
  before(async () => {
    database = await openTestDatabase({ migrations: [MIGRATIONS] });
    const object = { kind: 'publisher', id: 'pub_sunrise', parentId: null, fields: {} } as const;
    const publication = { changes: [changeOf(object, false)], deposits: [], actor: 'test', atMs: 0 };
    await makePgCatalogStore(database.pool).inChange((transaction) => transaction.publish(publication));
  });
  after(() => database.drop());
  beforeEach(async () => {
    await database.pool.query('DELETE FROM access.keys');
    clock = makeTestClock(NOW_MS);
  });

  /** One replica of console-service, with its metrics. */
  const openReplica = (bootstrapKey: KeyText | null = null) => {
    const scope = makeTestScope({ clock });
    return { scope, access: openAccess(scope, { pool: database.pool, bootstrapKey }) };
  };
  const create = (access: Access, role: string, name = 'a key') =>
    access.createKey({ actor: ROOT, role, name });
  const bearer = (text: string): string => `Bearer ${text}`;
  const auditOf = async (subject: string): Promise<unknown[]> => {
    const { rows } = await database.pool.query<{ row: unknown[] }>(
      'SELECT json_build_array(actor, action, detail) AS row FROM audit.access WHERE subject = $1 ORDER BY id',
      [subject],
    );
    return rows.map(({ row }) => row);
  };

  it('are created with a role, and let their holder in with it', async () => {
    const { access } = openReplica();
    const { key, text } = await create(access, 'publisher:pub_sunrise', 'Sunrise');
    expect(await access.authenticate(bearer(text))).to.deep.equal({
      kind: 'key',
      id: key.id,
      name: 'Sunrise',
      role: { kind: 'publisher', id: 'pub_sunrise' },
    });
  });

  it('are not stored: neither the text nor its secret is anywhere in the table', async () => {
    const { access } = openReplica();
    const { text } = await create(access, 'admin');
    const { rows } = await database.pool.query('SELECT keys::text AS row FROM access.keys');
    expect(JSON.stringify(rows)).not.to.include(text.slice(-64));
  });

  it('have a role and a name that are checked, and a tenant that exists', async () => {
    const { access } = openReplica();
    for (const [role, name] of [
      ['owner', 'a key'],
      ['publisher:pub_nobody', 'a key'],
      ['advertiser:pub_sunrise', 'a key'],
      ['admin', ''],
      ['admin', 'a\u0000b'],
    ] as const)
      expect(await codeOf(create(access, role, name)), `${role} ${name}`).to.equal('invalid_argument');
    expect(await access.listKeys()).to.deep.equal([]);
  });

  it('are listed with their last use, to ten minutes', async () => {
    const { access } = openReplica();
    const { key, text } = await create(access, 'readonly');
    expect((await access.listKeys()).map(({ id, lastUsedAtMs }) => [id, lastUsedAtMs])).to.deep.equal([
      [key.id, null],
    ]);
    await access.authenticate(bearer(text));
    clock.advance(9 * 60_000);
    await access.authenticate(bearer(text));
    expect((await access.listKeys())[0]?.lastUsedAtMs).to.equal(NOW_MS);
    clock.advance(60_000);
    await access.authenticate(bearer(text));
    expect((await access.listKeys())[0]?.lastUsedAtMs).to.equal(NOW_MS + 600_000);
  });

  it('stop to work on every replica within a second of their revocation', async () => {
    const { access } = openReplica();
    const { access: other } = openReplica();
    await create(access, 'admin');
    const { key, text } = await create(access, 'admin');
    expect(await other.authenticate(bearer(text))).not.to.equal(null);
    await access.revokeKey({ actor: ROOT, id: key.id });
    clock.advance(1_000);
    expect(await other.authenticate(bearer(text))).to.equal(null);
    expect(await access.authenticate(bearer(text))).to.equal(null);
  });

  it('with the role admin remain: the last valid one is not revoked, not even by two calls at once', async () => {
    const { access } = openReplica();
    const one = await create(access, 'admin');
    const two = await create(access, 'admin');
    await create(access, 'adops');
    const codes = await Promise.all(
      [one, two].map(({ key }) => codeOf(access.revokeKey({ actor: ROOT, id: key.id }))),
    );
    expect(codes).to.have.members([null, 'failed_precondition']);
  });

  it('that are revoked twice are revoked once, and an unknown one is named', async () => {
    const { access } = openReplica();
    await create(access, 'admin');
    const { key } = await create(access, 'finance', 'books');
    const first = await access.revokeKey({ actor: ROOT, id: key.id });
    clock.advance(5_000);
    expect(await access.revokeKey({ actor: ROOT, id: key.id })).to.deep.equal(first);
    expect(await auditOf(key.id)).to.deep.equal([
      ['key_root (root)', 'key_created', { name: 'books', role: 'finance' }],
      ['key_root (root)', 'key_revoked', { name: 'books', role: 'finance' }],
    ]);
    expect(await codeOf(access.revokeKey({ actor: ROOT, id: 'key_none' }))).to.equal('not_found');
  });

  it('that are refused are counted by reason, and stored only when the key is known', async () => {
    const { access, scope } = openReplica();
    await create(access, 'admin');
    const { key, text } = await create(access, 'adops', 'ann');
    const stranger = makeKeyText(systemRandom);
    const forged = `${text.slice(0, -64)}${'0'.repeat(64)}`;
    for (const header of [undefined, 'Basic x', 'Bearer x', bearer(stranger.text), bearer(forged)])
      expect(await access.authenticate(header)).to.equal(null);
    const asked = {
      actor: { ...ROOT, id: key.id, name: 'ann', role: { kind: 'adops' } } as const,
      named: [],
      hidden: [],
    };
    const refused = access.authorize({ ...asked, operationId: 'createDeposit', roles: ['admin', 'finance'] });
    expect(await codeOf(refused)).to.equal('permission_denied');
    expect(await auditOf('authenticate')).to.deep.include([
      `${key.id} (ann)`,
      'refused',
      { reason: 'wrong_secret' },
    ]);
    expect(await auditOf('createDeposit')).to.deep.equal([
      [`${key.id} (ann)`, 'refused', { reason: 'role' }],
    ]);
    const metrics = await scope.metrics.metrics();
    for (const [reason, count] of Object.entries({
      missing: 1,
      malformed: 2,
      unknown: 1,
      wrong_secret: 1,
      role: 1,
    }))
      expect(metrics).to.include(`placard_manage_refused_total{reason="${reason}"} ${count}`);
  });

  it('that repeat a refused call do not fill the audit', async () => {
    const { access } = openReplica();
    const actor: Actor = { kind: 'key', id: 'key_loop', name: 'loop', role: { kind: 'readonly' } };
    for (let call = 0; call < 150; call += 1)
      await codeOf(access.authorize({ actor, operationId: 'loop', roles: ['admin'], named: [], hidden: [] }));
    expect(await auditOf('loop')).to.have.length(100);
  });

  it('of a tenant answer the tenant whose rows they may read', async () => {
    const { access } = openReplica();
    const actor: Actor = {
      kind: 'key',
      id: 'key_t',
      name: 't',
      role: { kind: 'publisher', id: 'pub_sunrise' },
    };
    const asked = { actor, operationId: 'getReport', roles: ['admin', 'publisher'], hidden: [] } as const;
    expect(await access.authorize({ ...asked, named: [SUNRISE] })).to.deep.equal(actor.role);
    expect(
      await codeOf(access.authorize({ ...asked, named: [SUNRISE, { kind: 'publisher', id: 'pub_none' }] })),
    ).to.equal('permission_denied');
  });

  it('begin with the bootstrap key, which stays revoked once it is revoked', async () => {
    const bootstrap = makeKeyText(systemRandom);
    const { access } = openReplica(bootstrap);
    const other = openReplica(bootstrap).access;
    const actors = await Promise.all(
      [access, other].map((each) => each.authenticate(bearer(bootstrap.text))),
    );
    for (const actor of actors) expect(actor?.role).to.deep.equal({ kind: 'admin' });
    expect(await auditOf(bootstrap.id)).to.deep.equal([
      ['bootstrap', 'key_created', { name: 'bootstrap', role: 'admin' }],
    ]);
    await create(access, 'admin');
    await access.revokeKey({ actor: ROOT, id: bootstrap.id });
    clock.advance(1_000);
    expect(await access.authenticate(bearer(bootstrap.text))).to.equal(null);
  });

  it('are in an audit that is only ever added to', async () => {
    const { access } = openReplica();
    await create(access, 'admin');
    for (const statement of [
      "UPDATE audit.access SET actor = 'another'",
      'DELETE FROM audit.access',
      'TRUNCATE audit.access',
    ]) {
      const fault = await database.pool.query(statement).then(
        () => null,
        (error: unknown) => String(error),
      );
      expect(fault, statement).to.include('audit');
    }
  });
});

describe('API keys whose Postgres is away', () => {
  const calls: Readonly<Record<string, (store: KeyStore) => Promise<unknown>>> = {
    read: (store) => store.read('key_a'),
    list: (store) => store.list(),
    touch: (store) => store.touch('key_a', 0),
    wasEver: (store) => store.wasEver({ kind: 'publisher', id: 'pub_a' }),
    audit: (store) => store.audit({ atMs: 0, actor: '', action: 'refused', subject: '', detail: {} }),
    inChange: (store) => store.inChange(() => Promise.resolve()),
  };
  for (const [name, call] of Object.entries(calls))
    it(`fail with \`unavailable\` in ${name}`, async () => {
      const pool = makePool({ url: 'postgres://127.0.0.1:1/none', poolMax: 1 }, () => undefined);
      expect(await codeOf(call(makePgKeyStore(pool)))).to.equal('unavailable');
      await pool.end();
    });
});
