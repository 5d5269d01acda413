import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import { expect } from 'chai';
import { openGrpcClient } from '../src/grpc/client.js';
import { openGrpcServer } from '../src/grpc/server.js';
import { openPostgres } from '../src/postgres/postgres.js';
import { openRedis } from '../src/redis/redis.js';
import { makeTestLog, makeTestScope } from '../src/testing/index.js';

/** What a process says that serves at a host, without TLS, and calls peers at addresses. */
async function saidBy(host: string, ...addresses: readonly string[]) {
  const { log, lines } = makeTestLog();
  const scope = makeTestScope({ log });
  try {
    await openGrpcServer(scope, { host, port: 0, services: [] });
    for (const address of addresses)
      openGrpcClient(scope, FraudServiceService, { address, name: 'fraud-service' });
    const metric = await scope.metrics.getSingleMetric('placard_tls_missing')?.get();
    return { warnings: lines.filter(({ level }) => level === 'warn'), gauge: metric?.values[0]?.value };
  } finally {
    await scope.close();
  }
}

describe('a process without TLS', () => {
  it('says nothing when it stays on its machine', async () => {
    const addresses = ['127.0.0.1:1', 'localhost:1', 'ipv4:127.0.0.1:1,127.0.0.2:2', '[::1]:1'];
    expect(await saidBy('127.0.0.1', ...addresses)).to.deep.equal({ warnings: [], gauge: 0 });
  });

  for (const [what, host, ...addresses] of [
    ['listens beyond its machine', '0.0.0.0', 'dns:///fraud-service:50054'],
    ['calls a name beyond its machine', '127.0.0.1', 'dns:///fraud-service:50054', 'fraud-service:50054'],
    ['calls one address of several beyond its machine', '127.0.0.1', 'ipv4:127.0.0.1:1,10.0.0.1:2'],
  ] as const) {
    it(`says so once, and in a metric, when it ${what}`, async () => {
      const { warnings, gauge } = await saidBy(host, ...addresses);
      expect(warnings).to.have.length(1);
      expect(warnings[0]?.msg).to.contain('Set TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE.');
      expect(gauge).to.equal(1);
    });
  }

  const storesSaidBy = async (database: string, redis: string) => {
    const { log, lines } = makeTestLog();
    const scope = makeTestScope({ log });
    try {
      for (const name of ['first', 'second']) {
        openPostgres(scope, { url: database, poolMax: 1 });
        openRedis(scope, { url: redis, name });
      }
      const metric = await scope.metrics.getSingleMetric('placard_tls_missing')?.get();
      const said = lines.flatMap(({ msg }) => (msg.includes('without TLS') ? [msg] : []));
      return { said, gauge: metric?.values[0]?.value };
    } finally {
      await scope.close();
    }
  };

  it('says so once for each store beyond its machine, and in the metric', async () => {
    const { said, gauge } = await storesSaidBy('postgres://u:p@192.0.2.1:1/d', 'redis://:p@192.0.2.1:1');
    expect(said).to.have.length(2);
    expect(said[0]).to.match(/^Postgres without TLS .* End DATABASE_URL with \?sslmode=verify-full\.$/);
    expect(said[1]).to.match(/^Redis without TLS .* Begin REDIS_URL with rediss:/);
    expect(gauge).to.equal(1);
  });

  it('says nothing of stores with TLS or on its machine', async () => {
    for (const [database, redis] of [
      ['postgres://u:p@127.0.0.1:1/d', 'redis://localhost:1'],
      ['postgres://u:p@192.0.2.1:1/d?sslmode=verify-full', 'rediss-cluster://192.0.2.1:1,192.0.2.2:1'],
    ] as const)
      expect(await storesSaidBy(database, redis)).to.deep.equal({ said: [], gauge: 0 });
  });
});
