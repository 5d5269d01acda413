import { startProduct, type Product } from '@placard/local';
import { openRedis } from '@placard/service-kit/redis';
import { makeTestScope, until } from '@placard/service-kit/testing';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import {
  makeTlsFiles,
  openTlsPostgres,
  SERVER_NAME,
  type TlsFiles,
  type TlsStore,
} from '../service-kit/test/tls-stores.js';
import { DEMO_APP } from './driver/catalog.js';
import { becomes, Phone } from './driver/phone.js';
import { readPlacard } from './driver/placard.js';
import { openTlsCluster, type TlsCluster } from './driver/tls-cluster.js';

const START_MS_MAX = 60_000;
const SERVED_MS_MAX = 8_000;
const PASSWORD = 'of-one-test';
const WRONG_PASSWORD = 'not-the-p4ssw0rd';

describe('stores with TLS, of which Redis is a cluster that announces IP addresses', () => {
  let files: TlsFiles;
  let cluster: TlsCluster;
  before(async () => {
    files = await makeTlsFiles();
    cluster = await openTlsCluster(files, { serverName: SERVER_NAME, password: PASSWORD });
  }).timeout(START_MS_MAX);
  after(async () => {
    await cluster.close();
    files.remove();
  });

  const urlOf = (password: string): string => `rediss-cluster://:${password}@${cluster.nodes.join(',')}`;

  it('reach every master with the password, the authority and the name in the certificates', async () => {
    const scope = makeTestScope();
    const address = { url: urlOf(PASSWORD), caFile: files.caFile, serverName: SERVER_NAME };
    const redis = openRedis(scope, { ...address, name: 'test' });
    try {
      await until(() => scope.health.components()['redis']?.ok === true);
      const keys = Array.from({ length: 50 }, (_, index) => `{${index}}:tls`);
      for (const key of keys) expect(await redis.set(key, '1', 'PX', 1_000)).to.equal('OK');
      const masters = 'nodes' in redis ? redis.nodes('master') : [];
      expect(masters.map(({ options }) => `${options.host}:${options.port}`)).to.have.members([
        ...cluster.nodes,
      ]);
    } finally {
      await scope.close();
    }
  });

  for (const [what, change, reason] of [
    ['another authority', () => ({ caFile: files.otherCaFile }), /unable to verify|self-signed/],
    ['another name', () => ({ serverName: 'other.placard.test' }), /does not match certificate's altnames/],
    ['no name', () => ({ serverName: undefined }), /does not match certificate's altnames/],
    ['a wrong password', () => ({ url: urlOf(WRONG_PASSWORD) }), /WRONGPASS/],
  ] as const)
    it(`are refused with ${what}, and the reason is shown without a password`, async () => {
      const scope = makeTestScope();
      const right = { url: urlOf(PASSWORD), caFile: files.caFile, serverName: SERVER_NAME };
      openRedis(scope, { ...right, ...change(), name: 'test' });
      const detail = (): string => scope.health.components()['redis']?.detail ?? '';
      try {
        await until(() => reason.test(detail())).catch(() => expect(detail()).to.match(reason));
        expect(detail()).to.not.contain(WRONG_PASSWORD).and.not.contain(PASSWORD);
      } finally {
        await scope.close();
      }
    });

  describe('carry the whole product:', () => {
    let postgres: TlsStore;
    let database: TestDatabase;
    let product: Product;
    before(async () => {
      database = await openTestDatabase({ migrations: [] });
      postgres = await openTlsPostgres(files);
      await postgres.use(files.authority, [SERVER_NAME]);
      product = await startProduct({
        env: {
          DATABASE_URL: `${database.url}?sslmode=verify-full`,
          DATABASE_CA_FILE: files.caFile,
          DATABASE_SERVER_NAME: SERVER_NAME,
          REDIS_URL: urlOf(PASSWORD),
          REDIS_CA_FILE: files.caFile,
          REDIS_SERVER_NAME: SERVER_NAME,
        },
      });
    }).timeout(START_MS_MAX);
    after(async () => {
      await product.stop();
      await postgres.close();
      await database.drop();
    }).timeout(START_MS_MAX);

    it('an impression is sold, settled through the queue and verified', async () => {
      const isServed = async (): Promise<boolean> => {
        const phone = await Phone.open(product.gatewayUrl, DEMO_APP);
        const fill = await phone.fill('banner', { placement: 'home_banner' });
        return (await phone.impression(fill)).status === 200;
      };
      expect(await becomes(SERVED_MS_MAX, () => isServed().catch(() => false))).to.equal(true);
      const { ok } = await readPlacard<{ ok: boolean }>(product.consoleAddress, 'ledger', 'verify', '--wait');
      expect(ok).to.equal(true);
    });

    it('every connection to Postgres is encrypted, and no password is in a log', async () => {
      const { rows } = await database.pool.query<{ ssl: boolean; count: bigint }>(
        `SELECT ssl, count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
          WHERE datname = current_database() AND pid <> pg_backend_pid() GROUP BY ssl`,
      );
      expect(rows.map(({ ssl }) => ssl)).to.deep.equal([true]);
      expect(product.output()).to.not.contain(PASSWORD).and.not.contain(new URL(database.url).password);
    });
  });
});
