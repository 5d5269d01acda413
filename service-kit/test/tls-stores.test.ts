import { expect } from 'chai';
import { cpSync, writeFileSync } from 'node:fs';
import { migrate } from '../src/postgres/migrate.js';
import { openPostgres } from '../src/postgres/postgres.js';
import { openQueue, openWorker } from '../src/redis/queue.js';
import { connectRedis } from '../src/redis/redis-connection.js';
import { openRedis } from '../src/redis/redis.js';
import type { StoreAddress } from '../src/stores/index.js';
import { makeTestAuthority } from '../src/testing/certificates.js';
import { makeTestLog, makeTestScope, until, type TestScope } from '../src/testing/index.js';
import { openTestDatabase, openTestRedis, type TestDatabase } from '../src/testing/stores.js';
import {
  makeTlsFiles,
  openTlsPostgres,
  openTlsRedis,
  SERVER_NAME,
  STORE_NAMES,
  type TlsFiles,
  type TlsStore,
} from './tls-stores.js';

const WRONG_PASSWORD = 'not-the-p4ssw0rd';

describe('a connection with TLS', () => {
  let files: TlsFiles;
  let scope: TestScope;
  let lines: ReturnType<typeof makeTestLog>['lines'];
  before(async () => {
    files = await makeTlsFiles();
  });
  after(() => files.remove());
  beforeEach(() => {
    const log = makeTestLog();
    lines = log.lines;
    scope = makeTestScope({ log: log.log });
  });
  afterEach(() => scope.close());

  /** Waits until the store is healthy. */
  const untilOk = (store: string): Promise<void> =>
    until(() => scope.health.components()[store]?.ok === true);
  /** Waits until the store is unhealthy for a reason. */
  const untilRefused = async (store: string, reason: RegExp): Promise<void> => {
    const detail = (): string => scope.health.components()[store]?.detail ?? '';
    await until(() => reason.test(detail())).catch(() => expect(detail()).to.match(reason));
    expect(scope.health.components()[store]).to.have.property('ok', false);
    expect(JSON.stringify([lines, detail()])).to.not.contain(WRONG_PASSWORD);
  };

  describe('to Postgres', () => {
    let store: TlsStore;
    let database: TestDatabase;
    before(async () => {
      database = await openTestDatabase({ migrations: [] });
    });
    after(() => database.drop());

    const urlOf = (change: (url: URL) => void = () => undefined): string => {
      const url = new URL(database.url);
      url.searchParams.set('sslmode', 'verify-full');
      change(url);
      return url.href;
    };
    const open = (address: Omit<StoreAddress, 'url'>, url = urlOf()) =>
      openPostgres(scope, { ...address, url, poolMax: 1 });

    it('is refused by the client when the server speaks no TLS', async () => {
      open({ caFile: files.caFile });
      await untilRefused('postgres', /^The server does not support SSL connections$/);
    });

    describe('that has a certificate', () => {
      before(async () => {
        store = await openTlsPostgres(files);
      });
      after(() => store.close());

      const isEncrypted = async (pool: ReturnType<typeof open>): Promise<unknown> => {
        const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
        return (await pool.query<{ ssl: boolean }>(sql)).rows[0]?.ssl;
      };

      it('is made with the authority of its certificate', async () => {
        const pool = open({ caFile: files.caFile });
        await untilOk('postgres');
        expect(await isEncrypted(pool)).to.equal(true);
      });

      it('is not used without sslmode, whatever PGSSLMODE says', async () => {
        process.env['PGSSLMODE'] = 'verify-full';
        try {
          expect(await isEncrypted(open({}, database.url))).to.equal(false);
        } finally {
          delete process.env['PGSSLMODE'];
        }
      });

      it('is refused with another authority, or without one, by pools, probe and migrations', async () => {
        const pool = open({ caFile: files.otherCaFile });
        await untilRefused('postgres', /unable to verify|self-signed/);
        expect(String(await fault(pool.query('SELECT 1')))).to.match(/unable to verify|self-signed/);
        const migration = { url: urlOf(), schema: 'kit', dir: files.at('none') };
        expect(String(await fault(migrate(migration)))).to.match(/unable to verify|self-signed/);
      });

      it('is refused when the certificate has another name than the host, unless that name is set', async () => {
        await store.use(files.authority, [SERVER_NAME]);
        try {
          open({ caFile: files.caFile });
          await untilRefused('postgres', /does not match certificate's altnames/);
          for (const host of ['127.0.0.1', 'localhost']) {
            const url = urlOf((one) => (one.hostname = host));
            const named = open({ caFile: files.caFile, serverName: SERVER_NAME }, url);
            expect(await isEncrypted(named), host).to.equal(true);
          }
        } finally {
          await store.use(files.authority, STORE_NAMES);
        }
      });

      it('names the user of a wrong password, and not the password', async () => {
        open(
          { caFile: files.caFile },
          urlOf((url) => (url.password = WRONG_PASSWORD)),
        );
        await untilRefused('postgres', /^password authentication failed for user "\w+"$/);
      });

      it('follows a changed file of authorities, and keeps the last ones while the file is broken', async () => {
        const caFile = files.at('rotated-postgres.crt');
        cpSync(files.caFile, caFile);
        const pool = openPostgres(scope, { url: urlOf(), caFile, poolMax: 1, lifeSeconds: 1 });
        await untilOk('postgres');
        writeFileSync(caFile, 'half a certificate');
        const used = async (): Promise<boolean> => (await pool.query('SELECT 1'), staleLines().length > 0);
        await until(used);
        expect(staleLines()).to.have.length(1);
        const next = await makeTestAuthority('the next authority');
        await store.use(next, ['127.0.0.1']);
        try {
          await until(async () =>
            /unable to verify|self-signed/.test(String(await fault(pool.query('SELECT 1')))),
          );
          writeFileSync(caFile, next.ca);
          expect(await isEncrypted(pool)).to.equal(true);
        } finally {
          await store.use(files.authority, STORE_NAMES);
        }
      });
    });
  });

  describe('to Redis', () => {
    let store: TlsStore;
    before(async () => {
      store = await openTlsRedis(files);
    });
    after(() => store.close());

    const urlOf = (login = ''): string => `rediss://${login}127.0.0.1:${store.port}`;
    const open = (address: Omit<StoreAddress, 'url'>, url = urlOf()) =>
      openRedis(scope, { ...address, url, name: 'kit-tls' });

    it('is made with the authority of its certificate', async () => {
      const redis = open({ caFile: files.caFile });
      await untilOk('redis');
      expect(await redis.set('{kit}:tls', '1')).to.equal('OK');
    });

    it('carries the jobs of a queue', async () => {
      const options = { url: urlOf(), caFile: files.caFile, name: 'kit-tls', prefix: '{bull-kit-tls}' };
      const queue = openQueue<object>(scope, options);
      await untilOk('redis');
      let done = 0;
      openWorker(scope, { ...options, concurrency: 1 }, () => Promise.resolve(void (done += 1)));
      await queue.add('wake', {});
      await until(() => done === 1);
    });

    it('is refused by the client when the server speaks no TLS', async () => {
      const { url, redis } = await openTestRedis();
      redis.disconnect();
      open({ caFile: files.caFile }, url.replace('redis:', 'rediss:'));
      await untilRefused('redis', /wrong version number|ETIMEDOUT|closed|disconnected|ECONNRESET/i);
    });

    it('is refused by the server without TLS', async () => {
      open({}, urlOf().replace('rediss:', 'redis:'));
      await untilRefused('redis', /closed|ECONNRESET|EPIPE|not connected/i);
    });

    it('is refused with another authority, or without one', async () => {
      open({ caFile: files.otherCaFile });
      await untilRefused('redis', /unable to verify|self-signed/);
      const redis = open({});
      expect(await fault(redis.get('{kit}:tls'))).to.be.instanceOf(Error);
    });

    it('is closed quietly while its certificate is refused', async () => {
      const ended: Promise<void>[] = [];
      for (let count = 0; count < 5; count += 1) {
        const redis = connectRedis({ url: urlOf(), name: 'kit-tls' });
        redis.on('error', () => undefined);
        ended.push(new Promise((resolve) => redis.once('end', resolve)));
        await new Promise((resolve) => setImmediate(resolve));
        redis.disconnect();
      }
      // Mocha fails the test at an error that nothing handles.
      await Promise.all(ended);
    });

    it('is refused when the certificate has another name than the host, unless that name is set', async () => {
      await store.use(files.authority, [SERVER_NAME]);
      try {
        open({ caFile: files.caFile });
        await untilRefused('redis', /does not match certificate's altnames/);
        const named = makeTestScope();
        openRedis(named, { url: urlOf(), caFile: files.caFile, serverName: SERVER_NAME, name: 'kit-tls' });
        await until(() => named.health.components()['redis']?.ok === true);
        await named.close();
      } finally {
        await store.use(files.authority, STORE_NAMES);
      }
    });

    it('reports a wrong password without it', async () => {
      open({ caFile: files.caFile }, urlOf(`kit-user:${WRONG_PASSWORD}@`));
      await untilRefused('redis', /^WRONGPASS invalid username-password pair/);
    });

    it('follows a changed file of authorities, and keeps the last ones while the file is broken', async () => {
      const caFile = files.at('rotated-redis.crt');
      cpSync(files.caFile, caFile);
      const redis = open({ caFile });
      await untilOk('redis');
      writeFileSync(caFile, 'half a certificate');
      redis.disconnect(true);
      await until(() => staleLines().length > 0 && redis.status === 'ready');
      expect(staleLines()).to.have.length(1);
      const next = await makeTestAuthority('the next authority');
      await store.use(next, ['127.0.0.1']);
      try {
        redis.disconnect(true);
        await untilRefused('redis', /unable to verify|self-signed/);
        writeFileSync(caFile, next.ca);
        await untilOk('redis');
      } finally {
        await store.use(files.authority, STORE_NAMES);
      }
    });
  });

  const staleLines = () =>
    lines.filter(({ msg }) => msg.endsWith('could not be read again: the old ones stay'));
});

async function fault(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}
