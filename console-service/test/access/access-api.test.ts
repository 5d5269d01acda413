import { expect } from 'chai';
import { URI, type TOTP } from 'otpauth';
import { answerOf, onceOnly } from '../../src/cli/session.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { makeApi } from '../support/manage-client.js';
import { runCommand } from '../support/run-command.js';

const PASSWORD = 'correct horse battery staple';

describe('people and keys in the management API', () => {
  let instance: TestConsole;
  before(async () => {
    instance = await openTestConsole();
  });
  after(() => instance.close());

  const apiOf = (text?: string) => makeApi(instance.ports.managePort, text);
  const placard = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    runCommand(args, { ...instance.commandEnv, ...env });

  it('a user logs in, is known by its role, and logs out', async () => {
    const user = { name: 'Ann', role: 'readonly', password: PASSWORD };
    await answerOf(apiOf().POST('/users', { params: { header: onceOnly() }, body: user }));
    const wrong = await apiOf('').POST('/sessions', {
      body: { name: 'Ann', password: 'wrong horse battery' },
    });
    expect(wrong.response.status).to.equal(401);
    expect(wrong.error).to.include({ detail: 'The name, the password or the code is wrong.' });
    const { token } = await answerOf(
      apiOf('').POST('/sessions', { body: { name: 'ann', password: PASSWORD } }),
    );
    const session = apiOf(token);
    expect(await answerOf(session.GET('/me'))).to.include({ kind: 'user', name: 'Ann', role: 'readonly' });
    expect((await session.GET('/users')).response.status).to.equal(403);
    await answerOf(session.POST('/sessions/ended', { body: { token } }));
    expect((await session.GET('/me')).response.status).to.equal(401);
  });

  it('too many attempts to log in get 429, and Retry-After is the time that the answer names', async () => {
    const body = { name: 'nobody', password: PASSWORD };
    const attempt = () => apiOf('').POST('/sessions', { body });
    const answers = await Promise.all(Array.from({ length: 11 }, attempt));
    const refused = answers.find(({ response }) => response.status === 429);
    const { detail = '' } = refused?.error ?? {};
    const seconds = refused?.response.headers.get('Retry-After') ?? 'none';
    expect(detail).to.equal(`There were too many attempts with this name. Wait ${seconds} seconds.`);
  });

  it('a repeated creation of a key does not show the key again', async () => {
    const request = { params: { header: onceOnly() }, body: { name: 'ci', role: 'adops' } };
    expect((await answerOf(apiOf().POST('/keys', request))).text).to.match(/^plk_/);
    const repeated = await apiOf().POST('/keys', request);
    expect(repeated.data?.text).to.equal(undefined);
    expect((await answerOf(apiOf().GET('/keys'))).rows.filter(({ name }) => name === 'ci')).to.have.length(1);
  });

  it('the command creates, lists and revokes keys', async () => {
    const created = await placard(['key', 'create', '--role', 'finance', '--name', 'books']);
    expect(created.out).to.match(/^plk_[0-9a-f]{16}_[0-9a-f]{64}\n$/);
    const id = created.out.replace(/^plk_(\w{16}).*\n$/, 'key_$1');
    expect(created.err).to.include(id);
    const listed = await placard(['key', 'list', '--format', 'json']);
    const { rows } = JSON.parse(listed.out) as { readonly rows: readonly Record<string, unknown>[] };
    expect(rows.find((row) => row['id'] === id)).to.include({
      name: 'books',
      role: 'finance',
      revoked_at: null,
    });
    expect((await placard(['key', 'list'])).out).to.include(id);
    const forbidden = await placard(['key', 'list'], { PLACARD_KEY: created.out.trim() });
    expect(forbidden).to.deep.equal({
      status: 1,
      out: '',
      err: 'placard: The role finance may not call listKeys; it is for admin. Set PLACARD_KEY to a key that may do this.\n',
    });
    expect((await placard(['key', 'revoke', id])).out).to.equal(`revoked ${id} (books)\n`);
    const refused = await placard(['key', 'create', '--role', 'owner']);
    expect(refused.status).to.equal(1);
    expect(refused.err).to.include('role owner is none of admin, adops, finance, readonly');
  });

  it('the command adds users with a password that no argument shows', async () => {
    const args = ['user', 'add', 'Bob', '--role', 'adops'];
    expect((await placard(args)).err).to.include('PLACARD_USER_PASSWORD is not set');
    expect((await placard(args, { PLACARD_USER_PASSWORD: PASSWORD })).out).to.match(
      /^created usr_\w{16} \(Bob\)/,
    );
    expect((await placard(args, { PLACARD_USER_PASSWORD: PASSWORD })).err).to.include('a user Bob already');
  });

  it('the command lists and removes users, sets passwords and removes second factors', async () => {
    const env = { PLACARD_USER_PASSWORD: PASSWORD };
    const [, id = ''] =
      /(usr_\w{16})/.exec((await placard(['user', 'add', 'Eve', '--role', 'adops'], env)).out) ?? [];
    const login = (password: string) => apiOf('').POST('/sessions', { body: { name: 'Eve', password } });
    const { token } = await answerOf(login(PASSWORD));
    const { address } = await answerOf(apiOf(token).PUT('/me/totp'));
    const code = (URI.parse(address) as TOTP).generate();
    await answerOf(apiOf(token).PUT('/me/totp/confirmation', { body: { code } }));
    const listed = async (): Promise<unknown> => {
      const { out } = await placard(['user', 'list', '--format', 'json']);
      const { rows } = JSON.parse(out) as { readonly rows: readonly Record<string, unknown>[] };
      return rows.find((row) => row['id'] === id);
    };
    expect(await listed()).to.include({ name: 'Eve', role: 'adops', has_totp: true, removed_at: null });
    expect((await login(PASSWORD)).response.status).to.equal(401);

    expect((await placard(['user', 'totp-reset', id])).out).to.equal(`removed the second factor of ${id}\n`);
    expect((await login(PASSWORD)).response.status).to.equal(200);

    expect((await placard(['user', 'password', id])).err).to.include('PLACARD_USER_PASSWORD is not set');
    const newer = `${PASSWORD} 2`;
    expect((await placard(['user', 'password', id], { PLACARD_USER_PASSWORD: newer })).out).to.equal(
      `set the password of ${id}\n`,
    );
    expect((await login(PASSWORD)).response.status).to.equal(401);
    expect((await login(newer)).response.status).to.equal(200);

    expect((await placard(['user', 'remove', id])).out).to.equal(`removed ${id}\n`);
    expect((await login(newer)).response.status).to.equal(401);
    expect(await listed())
      .to.have.property('removed_at')
      .that.is.a('string');
    expect((await placard(['user', 'list'])).out).to.match(
      new RegExp(`^id +name +role +has_totp[^]*\\n${id} +Eve +adops +false`),
    );
    expect((await placard(['user', 'list', '--format', 'csv'])).out).to.include(`\r\n${id},Eve,adops,false,`);
    const again = await placard(['user', 'remove', 'usr_0000000000000000']);
    expect(again.status).to.equal(1);
    expect(again.err).to.match(/^placard: There is no user usr_0000000000000000/);
  });
});
