import { expect } from 'chai';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { openFaultProxy, type FaultProxy } from './fault-proxy.js';

/** Resolves when the socket is closed, also by a reset. */
function closing(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

describe('the fault proxy', () => {
  const echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  let proxy: FaultProxy;

  before(async () => {
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await openFaultProxy({ host: '127.0.0.1', port: (echo.address() as AddressInfo).port });
  });

  after(async () => {
    await proxy.close();
    echo.close();
  });

  async function open(): Promise<Socket> {
    const socket = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  async function echoed(socket: Socket, text: string): Promise<string> {
    socket.write(text);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  }

  it('passes bytes unchanged without a fault', async () => {
    const socket = await open();
    expect(await echoed(socket, 'hello')).to.equal('hello');
    socket.destroy();
  });

  it('delays bytes both ways under latency', async () => {
    const socket = await open();
    proxy.set({ kind: 'latency', delayMs: 40 });
    const startedAt = performance.now();
    await echoed(socket, 'slow');
    expect(performance.now() - startedAt).to.be.at.least(75);
    proxy.set({ kind: 'none' });
    socket.destroy();
  });

  it('keeps the order of bytes when latency ends', async () => {
    const socket = await open();
    let received = '';
    const all = new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString();
        if (received.length === 2) resolve();
      });
    });
    proxy.set({ kind: 'latency', delayMs: 100 });
    socket.write('1');
    // Wait until the first byte is inside the delay.
    await new Promise((resolve) => setTimeout(resolve, 30));
    proxy.set({ kind: 'none' });
    socket.write('2');
    await all;
    expect(received).to.equal('12');
    socket.destroy();
  });

  it('drops bytes in a blackhole and resets connections that lost bytes when it heals', async () => {
    const socket = await open();
    let isAnswered = false;
    socket.on('data', () => {
      isAnswered = true;
    });
    proxy.set({ kind: 'blackhole' });
    const closed = closing(socket);
    socket.write('lost');
    const other = await open();
    expect(isAnswered).to.equal(false);
    await new Promise((resolve) => setImmediate(resolve));
    other.write('also lost');
    await new Promise((resolve) => setTimeout(resolve, 20));
    proxy.set({ kind: 'none' });
    await closed;
    expect(isAnswered).to.equal(false);
  });

  it('leads new connections to another port and keeps open ones', async () => {
    const other = createServer((socket) => socket.end('the other'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const before = await open();
    expect(await echoed(before, 'first')).to.equal('first');
    proxy.leadTo((other.address() as AddressInfo).port);
    const after = connect(proxy.port, '127.0.0.1');
    const [chunk] = (await once(after, 'data')) as [Buffer];
    expect(chunk.toString()).to.equal('the other');
    expect(await echoed(before, 'still')).to.equal('still');
    proxy.leadTo((echo.address() as AddressInfo).port);
    before.destroy();
    other.close();
  });

  it('loses the given share of what clients send, with its connection', async () => {
    proxy.set({ kind: 'losses', share: 0 });
    const socket = await open();
    expect(await echoed(socket, 'kept')).to.equal('kept');
    proxy.set({ kind: 'losses', share: 1 });
    const closed = closing(socket);
    socket.write('lost');
    await closed;
    proxy.set({ kind: 'none' });
  });

  it('resets open and new connections', async () => {
    const socket = await open();
    const closed = closing(socket);
    proxy.set({ kind: 'reset' });
    await closed;
    const next = connect(proxy.port, '127.0.0.1');
    next.on('error', () => undefined);
    await closing(next);
    proxy.set({ kind: 'none' });
    const healed = await open();
    expect(await echoed(healed, 'again')).to.equal('again');
    healed.destroy();
  });
});
