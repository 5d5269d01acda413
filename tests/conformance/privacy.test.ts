import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { connectRedis } from '@placard/service-kit/redis';
import { expect } from 'chai';
import { freshWord } from '../driver/catalog.js';
import { expectAccepted } from '../driver/expect.js';
import { send } from '../driver/http.js';
import { freshAddress } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app } = world.pair({ frequency_cap: { count: 1_000, period: 'session' } });

/** Valid and invalid traffic of every kind from one address, with a word that no log may contain. */
async function traffic(address: string, word: string): Promise<readonly string[]> {
  const phone = await world.phone(app, { address });
  const fill = await phone.fill('rewarded', { app_version: word });
  expectAccepted(await phone.impression(fill));
  await phone.impression(fill);
  await phone.click(fill);
  await phone.reward(fill, true);
  await phone.fallback('home_banner');
  await phone.event('impression', fill, { impression_token: `${fill.token}x`, request_id: word });
  await phone.request('banner', { session_token: word, language: word });
  await phone.post('/v1/sdk/initialize', { app_key: word, package_name: word });
  await send(world.url, { path: '/v1/ads/request', headers: phone.headers, body: `{"${word}` });
  return [phone.token, fill.token];
}

describe('privacy', () => {
  world.use();

  it('logs contain no token, no address of an app user and no body of a request', async () => {
    const address = '203.0.113.199';
    const word = freshWord();
    const tokens = await traffic(address, word);
    const folder = path.join(world.running.dataDir, 'logs');
    for (const file of await readdir(folder)) {
      const text = await readFile(path.join(folder, file), 'utf8');
      for (const secret of [...tokens, address, word]) {
        expect(text.includes(secret), `${file} holds ${secret}`).to.equal(false);
      }
    }
  });

  it('Redis holds no address, and every key but those of the job queue expires by itself', async () => {
    const address = freshAddress();
    await traffic(address, freshWord());
    const redis = connectRedis({ url: world.running.redisUrl, name: 'test', waitsForRedis: true });
    try {
      const keys = await redis.keys('*');
      const counters = keys.filter((key) => !key.startsWith('{bull-'));
      for (const owner of ['rl:', ':cap:', ':fr:'])
        expect(
          counters.some((key) => key.includes(owner)),
          owner,
        ).to.equal(true);
      for (const key of keys) expect(key).to.not.contain(address.split('.').slice(0, 3).join('.'));
      const endless: string[] = [];
      for (const key of counters) if ((await redis.pttl(key)) === -1) endless.push(key);
      expect(endless).to.deep.equal([]);
    } finally {
      redis.disconnect();
    }
  });
});
