import { makePool } from '@placard/service-kit/postgres';
import {
  codeOf,
  makeTestClock,
  makeTestScope,
  type TestClock,
  type TestScope,
} from '@placard/service-kit/testing';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { URI, type TOTP } from 'otpauth';
import { fileURLToPath } from 'node:url';
import type { Actor } from '../../src/access/domain/actor.js';
import { openAccess, type Access } from '../../src/access/open-access.js';
import type { User } from '../../src/users/domain/user.js';
import { makePgUserStore } from '../../src/users/store/user-store.pg.js';
import type { UserStore } from '../../src/users/store/user-store.js';
import { makeCheckPassword } from '../../src/users/usecase/check-password.js';
import { makeLogin } from '../../src/users/usecase/login.js';

const MIGRATIONS = { schema: 'catalog', dir: fileURLToPath(new URL('../../migrations', import.meta.url)) };
const NOW_MS = Date.UTC(2026, 10, 1, 12);
const MINUTE_MS = 60_000;
const ROOT: Actor = { kind: 'key', id: 'key_root', name: 'root', role: { kind: 'admin' } };
const PASSWORD = 'correct horse battery staple';

describe('users', () => {
  let database: TestDatabase;
  let clock: TestClock;
  let scope: TestScope;
  let access: Access;
  let ann: User;
  before(async () => {
    database = await openTestDatabase({ migrations: [MIGRATIONS] });
  });
  after(() => database.drop());
  beforeEach(async () => {
    await database.pool.query(
      'DELETE FROM access.sessions; DELETE FROM access.recovery_codes; DELETE FROM access.users; DELETE FROM access.login_attempts',
    );
    clock = makeTestClock(NOW_MS);
    scope = makeTestScope({ clock });
    access = openAccess(scope, { pool: database.pool, bootstrapKey: null });
    ann = await create('Ann');
  });
  afterEach(() => scope.close());

  const create = (name: string, role = 'adops') =>
    access.users.createUser({ actor: ROOT, name, role, password: PASSWORD });
  const login = (password = PASSWORD, code: string | null = null, name = 'Ann') =>
    access.users.login({ name, password, code });
  const actorOf = (token: string | undefined) => access.authenticate(`Bearer ${token ?? ''}`);
  const asAnn = (): Actor => ({ kind: 'user', id: ann.id, name: ann.name, role: ann.role });
  /** Gives Ann a second factor. */
  const enrol = async () => {
    const app = URI.parse(await access.users.totp.begin(asAnn())) as TOTP;
    const codeAt = (atMs: number): string => app.generate({ timestamp: atMs });
    const recoveryCodes = await access.users.totp.confirm(asAnn(), codeAt(clock.now()));
    return { codeAt, recoveryCodes };
  };

  it('log in with name and password, and are let in with their role', async () => {
    const begun = await login();
    expect(await actorOf(begun?.token)).to.deep.equal(asAnn());
  });

  it('have names that are one whatever their case, and that are free again after a removal', async () => {
    expect(await codeOf(create('ANN'))).to.equal('conflict');
    expect(await login(PASSWORD, null, 'aNN')).not.to.equal(null);
    await access.users.removeUser({ actor: ROOT, id: ann.id });
    expect((await create('ANN')).id).not.to.equal(ann.id);
  });

  it('are refused with a wrong role, name or password', async () => {
    const asked = { actor: ROOT, name: 'Bob', role: 'adops', password: PASSWORD };
    for (const wrong of [
      { name: ' ' },
      { role: 'owner' },
      { role: 'publisher:pub_nobody' },
      { password: 'short' },
    ])
      expect(await codeOf(access.users.createUser({ ...asked, ...wrong })), JSON.stringify(wrong)).to.equal(
        'invalid_argument',
      );
  });

  it('have neither password nor token in the tables', async () => {
    const begun = await login();
    const { rows } = await database.pool.query(
      'SELECT users::text AS row FROM access.users UNION ALL SELECT sessions::text FROM access.sessions',
    );
    const text = JSON.stringify(rows);
    expect(text).not.to.include(PASSWORD);
    expect(text).not.to.include(begun?.token.slice(4) ?? '');
    expect(text).to.include('$argon2id$v=19$m=19456,t=2,p=1$');
  });

  it('and unknown names are refused alike, and not at once', async () => {
    for (const [name, password] of [
      ['Ann', 'wrong horse battery staple'],
      ['Nobody', PASSWORD],
    ] as const) {
      const begunAt = performance.now();
      expect(await login(password, null, name)).to.equal(null);
      expect(performance.now() - begunAt, name).to.be.at.least(495);
    }
  });

  it('and unknown names have ten attempts in a quarter of an hour, even at the same time', async () => {
    for (const name of ['ann', 'nobody']) {
      const attempts = Array.from({ length: 12 }, () =>
        codeOf(login('wrong horse battery staple', null, name)),
      );
      const codes = await Promise.all(attempts);
      expect(
        codes.filter((code) => code === 'rate_limited'),
        name,
      ).to.have.length(2);
    }
    expect(await codeOf(login())).to.equal('rate_limited');
    clock.advance(15 * MINUTE_MS);
    expect(await login()).not.to.equal(null);
  });

  it('are out once they log out, are removed, or get another password', async () => {
    const tokens = [(await login())?.token, (await login())?.token];
    await access.users.logout({ actor: asAnn(), token: tokens[0] ?? '' });
    expect(await actorOf(tokens[0])).to.equal(null);
    expect(await actorOf(tokens[1])).not.to.equal(null);
    await access.users.setPassword({ actor: ROOT, id: ann.id, password: 'another horse battery' });
    expect(await actorOf(tokens[1])).to.equal(null);
    const last = await login('another horse battery');
    await access.users.removeUser({ actor: ROOT, id: ann.id });
    expect(await actorOf(last?.token)).to.equal(null);
    expect(await login('another horse battery')).to.equal(null);
  });

  it('get no session for a password or a user that is changed while they log in', async () => {
    const store = makePgUserStore(database.pool);
    const changes: readonly (() => Promise<void>)[] = [
      () => access.users.setPassword({ actor: ROOT, id: ann.id, password: 'another horse battery' }),
      () => access.users.removeUser({ actor: ROOT, id: ann.id }),
    ];
    for (const [place, change] of changes.entries()) {
      const checkPassword = makeCheckPassword({ store, clock });
      const late = makeLogin({
        store,
        clock,
        random: scope.random,
        refusalTime: () => Promise.resolve(),
        async checkPassword(name, password) {
          const checked = await checkPassword(name, password);
          await change();
          return checked;
        },
      });
      const password = place === 0 ? PASSWORD : 'another horse battery';
      expect(await late({ name: 'Ann', password, code: null })).to.equal(null);
    }
    const { rows } = await database.pool.query('SELECT count(*) AS left FROM access.sessions');
    expect(rows).to.deep.equal([{ left: 0n }]);
  });

  it('are out after 30 minutes without a call, and after twelve hours in any case', async () => {
    const begun = await login();
    for (let minutes = 0; minutes < 12 * 60 - 29; minutes += 29) {
      clock.advance(29 * MINUTE_MS);
      if (clock.now() - NOW_MS < 12 * 60 * MINUTE_MS) expect(await actorOf(begun?.token)).not.to.equal(null);
    }
    clock.set(NOW_MS + 12 * 60 * MINUTE_MS);
    expect(await actorOf(begun?.token)).to.equal(null);
    const other = await login();
    clock.advance(30 * MINUTE_MS);
    expect(await actorOf(other?.token)).to.equal(null);
  });

  it('set their own password with the current one only', async () => {
    const change = { actor: asAnn(), password: 'another horse battery' };
    expect(await codeOf(access.users.setOwnPassword({ ...change, current: 'wrong horse battery' }))).to.equal(
      'permission_denied',
    );
    await access.users.setOwnPassword({ ...change, current: PASSWORD });
    expect(await login('another horse battery')).not.to.equal(null);
  });

  it('with a second factor need a code, and each code lets them in once', async () => {
    const { codeAt } = await enrol();
    expect(await login()).to.equal(null);
    expect(await login(PASSWORD, codeAt(clock.now()))).to.equal(null);
    clock.advance(MINUTE_MS);
    const code = codeAt(clock.now());
    expect(await login(PASSWORD, code === '000000' ? '000001' : '000000')).to.equal(null);
    const both = await Promise.all([login(PASSWORD, code), login(PASSWORD, code)]);
    expect(both.filter((begun) => begun !== null)).to.have.length(1);
  });

  it('with a second factor log in with each recovery code once', async () => {
    const { recoveryCodes } = await enrol();
    const [code = ''] = recoveryCodes;
    const both = await Promise.all([login(PASSWORD, code.toUpperCase()), login(PASSWORD, code)]);
    expect(both.filter((begun) => begun !== null)).to.have.length(1);
  });

  it('that lost their second factor get rid of it through an admin', async () => {
    await enrol();
    expect(await codeOf(access.users.totp.begin(asAnn()))).to.equal('failed_precondition');
    await access.users.totp.remove(ROOT, ann.id);
    expect(await login()).not.to.equal(null);
  });

  it('are not asked for a second factor that they have not confirmed', async () => {
    await access.users.totp.begin(asAnn());
    expect(await codeOf(access.users.totp.confirm(asAnn(), 'abcdef'))).to.equal('invalid_argument');
    expect(await login()).not.to.equal(null);
  });

  it('have no second factor as API keys', async () => {
    expect(await codeOf(access.users.totp.begin(ROOT))).to.equal('not_found');
  });

  it('are in the audit with what they did and what was refused', async () => {
    await login('wrong horse battery staple');
    await login();
    const { rows } = await database.pool.query<{ row: unknown }>(
      "SELECT json_build_array(action, subject, detail->>'reason') AS row FROM audit.access WHERE actor LIKE $1 ORDER BY id",
      [`${ann.id}%`],
    );
    expect(rows.map(({ row }) => row)).to.deep.equal([
      ['refused', 'login', 'wrong_password'],
      ['session_begun', 'login', null],
    ]);
  });

  it('leave no old sessions and counts behind', async () => {
    await login('wrong horse battery staple', null, 'nobody');
    await login();
    await makePgUserStore(database.pool).removeBefore(clock.now() + 1);
    const { rows } = await database.pool.query(
      'SELECT (SELECT count(*) FROM access.sessions) + (SELECT count(*) FROM access.login_attempts) AS left',
    );
    expect(rows).to.deep.equal([{ left: 0n }]);
  });
});

describe('users whose Postgres is away', () => {
  const none = Buffer.alloc(32);
  const calls: Readonly<Record<string, (store: UserStore) => Promise<unknown>>> = {
    list: (store) => store.list(),
    findByName: (store) => store.findByName('ann'),
    wasEver: (store) => store.wasEver({ kind: 'publisher', id: 'pub_a' }),
    takeTotpStep: (store) => store.takeTotpStep('usr_a', 1),
    takeRecoveryCode: (store) => store.takeRecoveryCode('usr_a', none),
    addSession: (store) => store.addSession(none, { userId: 'usr_a', passwordHash: '', atMs: 0 }),
    readSession: (store) => store.readSession(none),
    touchSession: (store) => store.touchSession(none, 0),
    endSession: (store) => store.endSession(none, { atMs: 0, actor: '' }),
    countAttempt: (store) => store.countAttempt(none, 0),
    forgetAttempts: (store) => store.forgetAttempts(none),
    removeBefore: (store) => store.removeBefore(0),
    audit: (store) => store.audit({ atMs: 0, actor: '', action: 'refused', subject: '', detail: {} }),
    inChange: (store) => store.inChange(() => Promise.resolve()),
  };
  for (const [name, call] of Object.entries(calls))
    it(`fail with \`unavailable\` in ${name}`, async () => {
      const pool = makePool({ url: 'postgres://127.0.0.1:1/none', poolMax: 1 }, () => undefined);
      expect(await codeOf(call(makePgUserStore(pool)))).to.equal('unavailable');
      await pool.end();
    });
});
