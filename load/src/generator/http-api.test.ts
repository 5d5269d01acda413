import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { openPost } from './http-api.js';

/** More than any bound that the client ever had. */
const CALLS = 300;

describe('the connections of the load generator', () => {
  let server: Server;
  let address = '';
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
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void (open.length = 0));
  after(() => void server.close());

  const answerAll = (): void => {
    for (const response of open.splice(0)) response.end('{"status":"fill"}');
  };

  it('are as many as the pending calls, so that no call waits for the answer of another', async () => {
    const post = openPost({ address, connections: Number.POSITIVE_INFINITY, acceptsGzip: false });
    // Nothing is answered until all have arrived.
    arrived = () => (open.length === CALLS ? answerAll() : undefined);
    const answers = await Promise.all(Array.from({ length: CALLS }, () => post('/', '8.8.8.8', {})));
    expect(answers.every(({ status }) => status === 200)).to.equal(true);
    post.close();
  });

  it('report when a request was written; with a bound, only after the answer before it', async () => {
    const post = openPost({ address, connections: 1, acceptsGzip: false });
    const written: string[] = [];
    arrived = () => {
      written.push('arrived');
      answerAll();
    };
    const calls = ['first', 'second'].map((name) => post('/', '8.8.8.8', {}, () => written.push(name)));
    await Promise.all(calls);
    expect(written).to.deep.equal(['first', 'arrived', 'second', 'arrived']);
    post.close();
  });
});
