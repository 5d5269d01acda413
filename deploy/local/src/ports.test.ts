import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { choosePorts, isPortFree, requireGatewayPort } from './ports.js';

async function listen(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

describe('ports of an instance', () => {
  let dir = '';
  beforeEach(() => (dir = mkdtempSync(path.join(tmpdir(), 'placard-ports-'))));
  afterEach(() => rmSync(dir, { recursive: true }));

  it('are remembered from start to start', async () => {
    const file = path.join(dir, 'ports.json');
    const first = await choosePorts(file, ['postgres', 'redis']);
    expect(await choosePorts(file, ['postgres', 'redis'])).to.deep.equal(first);
    expect(first.postgres).not.to.equal(first.redis);
  });

  it('change only when another program uses the remembered one', async () => {
    const file = path.join(dir, 'ports.json');
    const first = await choosePorts(file, ['postgres', 'redis']);
    const other = await listen(first.redis);
    const second = await choosePorts(file, ['postgres', 'redis']);
    other.close();
    expect(second.postgres).to.equal(first.postgres);
    expect(second.redis).not.to.equal(first.redis);
  });

  it('are never given twice, whatever the file contains', async () => {
    const file = path.join(dir, 'ports.json');
    const { a } = await choosePorts(file, ['a']);
    writeFileSync(file, JSON.stringify({ a, b: a, c: 'x' }));
    const ports = await choosePorts(file, ['a', 'b', 'c']);
    expect(new Set(Object.values(ports)).size).to.equal(3);
  });

  it('are chosen anew when the file is damaged', async () => {
    const file = path.join(dir, 'ports.json');
    writeFileSync(file, '{ "a": 1');
    expect((await choosePorts(file, ['a'])).a).to.be.greaterThan(1024);
  });
});

describe('the port of the gateway', () => {
  it('that is in use gives one line with the remedy', async () => {
    const { a: port } = await choosePorts(path.join(tmpdir(), `placard-port-${process.pid}`), ['a']);
    rmSync(path.join(tmpdir(), `placard-port-${process.pid}`));
    expect(await isPortFree(port)).to.equal(true);
    const other = await listen(port);
    let message = '';
    await requireGatewayPort(port, '0.0.0.0').catch((error: unknown) => (message = (error as Error).message));
    other.close();
    expect(message).to.match(/^Port \d+ is in use by another program\..*npm start -- --port \d+$/);
  });

  it('on an address of another machine gives a fault of HOST, not of the port', async () => {
    let message = '';
    await requireGatewayPort(20_000, '192.0.2.1').catch(
      (error: unknown) => (message = (error as Error).message),
    );
    expect(message).to.match(/^HOST is 192\.0\.2\.1, where this machine cannot listen \(E\w+\)\. Set it to /);
  });
});
