import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { makeTestAuthority } from '../testing/certificates.js';
import { until } from '../testing/until.js';
import { makePostCallback, type PostCallback } from './post-callback.js';

const HOST = 'hooks.example.com';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describe('a callback', () => {
  const received: Received[] = [];
  let answer: (response: ServerResponse) => void = (response) => response.writeHead(204).end();
  let server: Server;
  let ca: string;
  let url: string;
  let post: PostCallback;

  before(async () => {
    const authority = await makeTestAuthority();
    ca = authority.ca;
    server = createServer(await authority.issue({ names: [HOST] }), (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        answer(response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `https://${HOST}:${String((server.address() as AddressInfo).port)}/placard`;
    const local = { resolve: () => Promise.resolve(['127.0.0.1']), isAddressAllowed: () => true, ca };
    post = makePostCallback(local);
  });
  after(() => server.close());
  beforeEach(() => {
    received.length = 0;
    answer = (response) => response.writeHead(204).end();
  });

  const send = () => post({ url, headers: { 'Placard-Signature': 'a..b' }, body: '{"id":"é"}' });

  it('is a POST to the checked address under the name of its host', async () => {
    expect(await send()).to.deep.equal({ isDelivered: true });
    expect(received[0]?.body).to.equal('{"id":"é"}');
    expect(received[0]?.headers).to.include({ 'placard-signature': 'a..b', 'content-length': '11' });
    expect(received[0]?.headers.host).to.match(/^hooks\.example\.com:/);
  });

  it('fails when the look-up of its host takes longer than an attempt may', async () => {
    const resolve = (): Promise<never> => new Promise(() => undefined);
    const waiting = makePostCallback({ resolve, ca, attemptMsMax: 1 });
    expect(await waiting({ url, headers: {}, body: '' })).to.deep.equal({
      isDelivered: false,
      isSilent: true,
      reason: 'There was no answer within 0.001 seconds.',
    });
  });

  for (const [status, reason] of [
    [500, /500/],
    [404, /404/],
    [302, /redirects are not followed/],
  ] as const) {
    it(`fails when the answer is ${status}`, async () => {
      answer = (response) => response.writeHead(status, { Location: 'https://other.example.com/' }).end();
      const result = await send();
      expect(result).to.include({ isDelivered: false, isSilent: false });
      expect(result).to.have.property('reason').that.matches(reason);
      expect(received).to.have.length(1);
    });
  }

  it('does not wait for the body of the answer', async () => {
    answer = (response) => response.writeHead(200).write('endless');
    expect(await send()).to.deep.equal({ isDelivered: true });
  });

  it('fails when the answer changes the protocol, and its connection is closed', async () => {
    const sockets: Socket[] = [];
    answer = (response) => {
      if (response.socket !== null) sockets.push(response.socket);
      response.writeHead(101, { Connection: 'Upgrade', Upgrade: 'other' }).end();
    };
    expect(await send()).to.deep.equal({
      isDelivered: false,
      isSilent: true,
      reason: 'The connection closed without an answer.',
    });
    await until(() => sockets.length === 1 && sockets.every(({ closed }) => closed));
  });

  it('fails when the connection ends without an answer', async () => {
    answer = (response) => response.destroy();
    expect(await send()).to.include({ isDelivered: false, isSilent: true });
  });

  it('to a host that cannot be found is as one without an answer', async () => {
    const lost = makePostCallback({ resolve: () => Promise.reject(new Error('ENOTFOUND')), ca });
    expect(await lost({ url, headers: {}, body: '' })).to.deep.equal({
      isDelivered: false,
      isSilent: true,
      reason: 'The host of the address cannot be resolved.',
    });
  });

  it('is not sent to a private address, also when the name led elsewhere before', async () => {
    const guarded = makePostCallback({ resolve: () => Promise.resolve(['127.0.0.1']), ca });
    expect(await guarded({ url, headers: {}, body: '' }))
      .to.have.property('reason')
      .that.matches(/private/);
    expect(received).to.have.length(0);
    expect(await guarded({ url, headers: {}, body: '' })).to.include({ isSilent: false });
  });

  it('fails when the certificate is not the host’s', async () => {
    const wrong = url.replace(HOST, 'other.example.com');
    const result = await post({ url: wrong, headers: {}, body: '' });
    expect(result).to.include({ isDelivered: false, isSilent: true });
    expect(result)
      .to.have.property('reason')
      .that.matches(/ALTNAME/);
    expect(received).to.have.length(0);
  });
});
