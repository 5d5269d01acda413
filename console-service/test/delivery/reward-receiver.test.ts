import { makeTestScope, until, type TestScope } from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer, request as requestSecurely, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeTestAuthority } from '@placard/service-kit/testing/certificates';
import { openRewards } from '../../src/rewards/open-rewards.js';
import { openHttpServer } from '../../src/routes/http-server.js';
import { makePublicApp } from '../../src/routes/public-app.js';
import { openWebhooks } from '../../src/webhooks/open-webhooks.js';
import { openTestCatalog, type TestCatalog } from '../support/open-catalog.js';
import { makeRewardSource, otherRewardOf, rewardedCatalog, rewardOf } from '../support/rewarded-catalog.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const HOST = 'game.example.com';

function codeOfPage(): string {
  const page = readFileSync(`${ROOT}docs/reward-callbacks.md`, 'utf8');
  return /<!-- receiver: [^>]*-->\n\n```js\n(.*?)```/s.exec(page)?.[1] ?? '';
}

/** The receiver of the document. `grantOnce` prints what it gets, and its port is any free one, which it prints too. */
function receiverOf(jwksUrl: string): string {
  const code = codeOfPage();
  const given = {
    'https://ads.example.com/.well-known/jwks.json': jwksUrl,
    app_sunrise_puzzle: 'app_a',
    'server.listen(8000);':
      "const http = server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(http.address())));",
  };
  for (const text of Object.keys(given)) {
    if (!code.includes(text)) throw new Error(`the receiver of the document has no ${text}`);
  }
  return Object.entries(given).reduce(
    (text, [one, other]) => text.replace(one, other),
    `${code}\nfunction grantOnce(reward) { console.log(JSON.stringify(reward)); }`,
  );
}

describe('the receiver of docs/reward-callbacks.md', () => {
  let scope: TestScope;
  let catalog: TestCatalog;
  let receiver: ChildProcess;
  let front: Server;
  let ca: string;
  let status: number;
  const granted: unknown[] = [];
  const answers: number[] = [];
  let rewards: ReturnType<typeof makeRewardSource>;

  before('Placard and the receiver run', async () => {
    catalog = await openTestCatalog();
    const { redis, url: redisUrl } = await openTestRedis();
    redis.disconnect();
    scope = makeTestScope({ name: 'console-service' });
    const authority = await makeTestAuthority();
    ({ ca } = authority);
    const callbacks = {
      resolve: () => Promise.resolve(['127.0.0.1']),
      isAddressAllowed: () => true,
      ca,
    };
    const { signingKeys } = openWebhooks(scope, { pool: catalog.pool, redis: { url: redisUrl }, callbacks });
    await signingKeys.current();
    const app = makePublicApp({ scope, signingKeys });
    const { port } = await openHttpServer(scope, app, { host: '127.0.0.1', port: 0 });
    const code = receiverOf(`http://127.0.0.1:${port}/.well-known/jwks.json`);
    receiver = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: ROOT,
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: receiver.stdout! });
    const [first] = (await once(lines, 'line')) as [string];
    const { port: receiverPort } = JSON.parse(first) as AddressInfo;
    lines.on('line', (line) => granted.push(JSON.parse(line)));
    front = createSecureServer(await authority.issue({ names: [HOST] }), (req, res) => {
      const { method, url: path, headers } = req;
      const passed = request({ port: receiverPort, host: '127.0.0.1', method, path, headers }, (answer) => {
        answers.push((status = answer.statusCode ?? 0));
        res.writeHead(status);
        answer.pipe(res);
      });
      req.pipe(passed);
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
    const url = `https://${HOST}:${(front.address() as AddressInfo).port}/rewards`;
    expect((await catalog.apply(rewardedCatalog(url, url))).faults).to.deep.equal([]);
    rewards = makeRewardSource();
    openRewards(scope, {
      pool: catalog.pool,
      redis: { url: redisUrl },
      callbacks,
      signingKeys,
      accepted: rewards,
    });
  });
  after(async () => {
    receiver.kill();
    front.close();
    await scope.close();
    await catalog.close();
  });

  const sent = async (...sending: readonly ReturnType<typeof rewardOf>[]): Promise<void> => {
    const before = answers.length;
    for (const reward of sending) rewards.waiting.set(reward.requestId, reward);
    await until(() => answers.length === before + sending.length);
  };

  it('is at most ten lines long, without its imports', () => {
    const lines = codeOfPage().trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('import '))).to.have.length.at.most(10);
  });

  it('grants a reward that Placard has signed', async () => {
    await sent(rewardOf(1));
    expect(status).to.equal(204);
    await until(() => granted.length === 1);
    expect(granted).to.deep.equal([
      {
        id: `rwd_${'1'.padStart(32, '0')}`,
        request_id: rewardOf(1).requestId,
        item: 'coins',
        amount: 50,
      },
    ]);
  });

  it('accepts rewards of test ads and of other apps, and grants nothing for them', async () => {
    const before = granted.length;
    await sent(rewardOf(2, { isTest: true }), otherRewardOf(3));
    expect(status).to.equal(204);
    await sent(rewardOf(4));
    await until(() => granted.length > before);
    expect(granted.slice(before)).to.have.length(1);
  });

  for (const [what, signature] of [
    ['without a signature', null],
    ['with a signature of something else', 'eyJhbGciOiJFZERTQSJ9..AAAA'],
    ['with an unsigned header', 'eyJhbGciOiJub25lIn0..'],
  ] as const)
    it(`refuses a POST ${what}, and grants nothing`, async () => {
      const before = { granted: granted.length, answers: answers.length };
      const body = JSON.stringify({ id: 'rwd_x', app: 'app_a', request_id: 'x', item: 'coins', amount: 50 });
      const { port } = front.address() as AddressInfo;
      const headers = {
        'Content-Type': 'application/json',
        ...(signature === null ? {} : { 'Placard-Signature': signature }),
      };
      const place = { host: '127.0.0.1', port, path: '/rewards', servername: HOST, ca };
      const call = requestSecurely({ ...place, method: 'POST', headers });
      call.end(body);
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).to.equal(500);
      await until(() => answers.length === before.answers + 1);
      expect(granted).to.have.length(before.granted);
    });
});
