import { startProduct } from '@placard/local';
import { openTestDatabase } from '@placard/service-kit/testing/stores';
import type { TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';

const START_MS_MAX = 60_000;

/** Settings with a wrong value. Each stops the start with a message that names it. */
const WRONG: readonly (readonly [name: string, value: string])[] = [
  ['RATE_LIMITS', '{"ads.request":{"session":-1}}'],
  ['SESSION_TTL_SECONDS', 'an hour'],
];

describe('a wrong setting', () => {
  let database: TestDatabase;
  let outcomes: readonly string[];
  before(async () => {
    database = await openTestDatabase({ migrations: [] });
    outcomes = await Promise.all(WRONG.map(([name, value]) => startWith(database.url, { [name]: value })));
  }).timeout(START_MS_MAX);
  after(() => database.drop());

  for (const [index, [name, value]] of WRONG.entries()) {
    it(`stops the start with a message that names it: ${name}=${value}`, () => {
      expect(outcomes[index]).to.contain(name);
    });
  }
});

/** The message of a refused start. */
function startWith(databaseUrl: string, env: Readonly<Record<string, string>>): Promise<string> {
  const stores = { DATABASE_URL: databaseUrl, REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' };
  return startProduct({ env: { ...stores, ...env } }).then(
    async (product) => {
      await product.stop();
      return 'it started';
    },
    (error: unknown) => String(error),
  );
}
