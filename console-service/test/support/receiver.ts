import type { PostCallbackOptions } from '@placard/service-kit/callbacks';
import { makeTestAuthority } from '@placard/service-kit/testing/certificates';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A POST that a receiver got. */
export interface Received {
  readonly host: string;
  readonly signature: string;
  readonly body: string;
}

/** A server of two apps, game.example.com and other.example.com, on this machine. */
export interface TestReceiver {
  /** Of the first host. */
  readonly url: string;
  readonly otherUrl: string;
  readonly received: Received[];
  /** The status of its answers. */
  status: number;
  /** Where its hosts are. The server is at 127.0.0.1. */
  address: string;
  /** What lets a process call it: its addresses and its certificate. */
  readonly callbacks: PostCallbackOptions;
  close(): void;
}

const HOSTS = ['game.example.com', 'other.example.com'];

/** Opens a receiver. `answer`: its answers; by default it keeps what it gets. */
export async function openTestReceiver(): Promise<TestReceiver> {
  const authority = await makeTestAuthority();
  const received: Received[] = [];
  const server = createServer(await authority.issue({ names: HOSTS }), (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { host = '' } = request.headers;
      const signature = String(request.headers['placard-signature']);
      received.push({ host: host.replace(/:.*$/, ''), signature, body });
      response.writeHead(receiver.status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: TestReceiver = {
    url: `https://${HOSTS[0]}:${port}/rewards`,
    otherUrl: `https://${HOSTS[1]}:${port}/rewards`,
    received,
    status: 204,
    address: '127.0.0.1',
    callbacks: {
      resolve: (host) => Promise.resolve(HOSTS.includes(host) ? [receiver.address] : []),
      isAddressAllowed: (address) => address === '127.0.0.1',
      ca: authority.ca,
    },
    close: () => void server.close(),
  };
  return receiver;
}
