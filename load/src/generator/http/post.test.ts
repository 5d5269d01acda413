import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { LEFT } from '../api.js';
import { openPost, type Post } from './post.js';

/** More than any bound that the client ever had. */
const CALLS = 300;
/** It never passes here. */
const TIMEOUT_MS = 60_000;

describe('the connections of the load generator', () => {
  let server: Server;
  let address = '';
  let connections = 0;
  const open: ServerResponse[] = [];
  /** Called for each request that has arrived. */
  let arrived = (): void => undefined;

  before(async () => {
    server = createServer((request, response) => {
      request.resume().once('end', () => {
        open.push(response);
        arrived();
      });
    });
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    open.length = 0;
    connections = 0;
  });
  after(() => void server.close());

  const answerAll = (): void => {
    for (const response of open.splice(0)) response.end('{"status":"fill"}');
  };

  let post: Post;
  const openWith = (timeoutMs: number): void => {
    post = openPost({ address, timeoutMs, acceptsGzip: false });
  };
  afterEach(() => post.close());

  it('are as many as the pending calls, so that no call waits for the answer of another', async () => {
    openWith(TIMEOUT_MS);
    // Nothing is answered until all have arrived.
    arrived = () => (open.length === CALLS ? answerAll() : undefined);
    const answers = await Promise.all(Array.from({ length: CALLS }, () => post('/', '8.8.8.8', {})));
    expect(answers.every(({ status }) => status === 200)).to.equal(true);
  });

  it('are used again, and a request is written before it arrives', async () => {
    openWith(TIMEOUT_MS);
    const seen: string[] = [];
    arrived = () => {
      seen.push('arrived');
      answerAll();
    };
    for (const name of ['first', 'second']) await post('/', '8.8.8.8', {}, () => seen.push(name));
    expect(seen.toSorted()).to.deep.equal(['arrived', 'arrived', 'first', 'second']);
    expect(connections).to.equal(1);
  });

  it('end when the client leaves, which is its outcome', async () => {
    openWith(500);
    const gone = new Promise<void>((resolve) => {
      arrived = () => open[0]?.once('close', resolve);
    });
    const { status, body } = await post('/', '8.8.8.8', {});
    expect({ status, body }).to.deep.equal({ status: 0, body: { reason: LEFT } });
    await gone;
  });

  it('report why there is no answer', async () => {
    openWith(TIMEOUT_MS);
    arrived = () => open.pop()?.socket?.destroy();
    expect((await post('/', '8.8.8.8', {})).body).to.deep.equal({ reason: 'closed' });
    const nobody = openPost({ address: '127.0.0.1:1', timeoutMs: TIMEOUT_MS, acceptsGzip: false });
    expect((await nobody('/', '8.8.8.8', {})).body).to.deep.equal({ reason: 'ECONNREFUSED' });
  });

  it('carry compressed answers and answers in chunks', async () => {
    post = openPost({ address, timeoutMs: TIMEOUT_MS, acceptsGzip: true });
    arrived = () => {
      const response = open.pop();
      response?.setHeader('content-encoding', 'gzip');
      response?.write(gzipSync('{"status":"no_fill"}'));
      response?.end();
    };
    expect((await post('/', '8.8.8.8', {})).body).to.deep.equal({ status: 'no_fill' });
  });

  it('carry the refusal of an overloaded server with its Retry-After', async () => {
    openWith(TIMEOUT_MS);
    arrived = () => open.pop()?.writeHead(500, { 'Retry-After': '1' }).end('{}');
    const { status, retryAfter } = await post('/', '8.8.8.8', {});
    expect({ status, retryAfter }).to.deep.equal({ status: 500, retryAfter: '1' });
  });
});
