import { startProduct } from '@placard/local';
import { openTestDatabase } from '@placard/service-kit/testing';
import type { TestDatabase } from '@placard/service-kit/testing';
import { expect } from 'chai';

const START_MS_MAX = 60_000;

/** Settings with a value that is wrong; each stops the start with a message that names it. */
const WRONG: readonly (readonly [name: string, value: string])[] = [
  ['RATE_LIMITS', '{"ads.request":{"session":-1}}'],
  ['SESSION_TTL_SECONDS', 'an hour'],
];

describe('a wrong setting', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase({ migrations: [] });
  });
  after(() => database.drop());

  for (const [name, value] of WRONG) {
    it(`stops the start with a message that names it: ${name}=${value}`, async () => {
      const stores = { DATABASE_URL: database.url, REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' };
      const outcome = await startProduct({ env: { ...stores, [name]: value } }).then(
        async (product) => {
          await product.stop();
          return 'it started';
        },
        (error: unknown) => String(error),
      );
      expect(outcome).to.contain(name);
    }).timeout(START_MS_MAX);
  }
});
