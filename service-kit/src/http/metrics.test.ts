import { expect } from 'chai';
import { Counter, Gauge } from 'prom-client';
import { openMetricsServer } from './metrics.js';
import { makeTestScope, type TestScope } from '../testing/index.js';

describe('openMetricsServer', () => {
  let scope: TestScope;
  let base: string;

  beforeEach(async () => {
    scope = makeTestScope({ name: 'x-service' });
    const { port } = await openMetricsServer(scope, { host: '127.0.0.1', port: 0 });
    base = `http://127.0.0.1:${port}`;
  });
  afterEach(() => scope.close());

  it('serves the metrics of the process and of Node.js', async () => {
    new Counter({ name: 'placard_things', help: 'Things', registers: [scope.metrics] }).inc(3);
    const response = await fetch(`${base}/metrics`);
    expect(response.headers.get('content-type')).to.match(/^text\/plain/);
    expect(await response.text())
      .to.include('placard_things 3')
      .and.include('nodejs_eventloop_lag_seconds');
  });

  it('is alive from the start, and ready when all components are', async () => {
    const part = scope.health.register('postgres');
    const alive = await fetch(`${base}/healthz`);
    expect([alive.status, await alive.json()]).to.deep.equal([200, { status: 'alive', name: 'x-service' }]);
    const early = await fetch(`${base}/readyz`);
    expect([early.status, await early.json()]).to.deep.equal([
      503,
      { status: 'not ready', components: { postgres: { ok: false, detail: 'starting' } } },
    ]);
    part.set(true);
    expect((await fetch(`${base}/readyz?full`)).status).to.equal(200);
  });

  it('answers 500 when a metric cannot be read, and still serves', async () => {
    const collect = (): never => {
      throw new Error('no figure');
    };
    new Gauge({ name: 'placard_broken', help: 'Broken', registers: [scope.metrics], collect });
    expect((await fetch(`${base}/metrics`)).status).to.equal(500);
    expect((await fetch(`${base}/healthz`)).status).to.equal(200);
  });

  it('answers 404 for every other path', async () => {
    expect((await fetch(`${base}/else`)).status).to.equal(404);
  });

  it('reports that its port is in use', async () => {
    const other = makeTestScope();
    const port = Number(new URL(base).port);
    const error: unknown = await openMetricsServer(other, { host: '127.0.0.1', port }).catch(
      (e: unknown) => e,
    );
    expect(error).to.have.property('code', 'EADDRINUSE');
  });

  it('frees its port when it closes, even if a client keeps its connection', async () => {
    await (await fetch(`${base}/healthz`)).text();
    await scope.close();
    const again = makeTestScope();
    await openMetricsServer(again, { host: '127.0.0.1', port: Number(new URL(base).port) });
    await again.close();
  });
});
