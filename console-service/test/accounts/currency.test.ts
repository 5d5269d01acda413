import { ConfigError } from '@placard/service-kit';
import { makeTestScope } from '@placard/service-kit/testing';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { openCurrency } from '../../src/accounts/open-currency.js';
import { keepCurrency } from '../../src/accounts/store/currency.pg.js';
import { readConsoleConfig } from '../../src/config.js';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

describe('the currency of an installation', () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openTestDatabase({ migrations: [{ schema: 'catalog', dir: MIGRATIONS }] });
  });
  afterEach(() => db.drop());

  const start = (currency: string) =>
    keepCurrency(db.pool, currency).then(
      () => 'starts',
      (error: unknown) => (error instanceof ConfigError ? error.message : error),
    );
  const deposit = () =>
    db.pool.query(
      "INSERT INTO accounts.deposits (reference, advertiser_id, amount_nanos, made_at) VALUES ('INV-7', 'adv_a', 1, now())",
    );

  it('is the US dollar unless the setting names another code of ISO 4217', () => {
    const given = { DATABASE_URL: 'postgres://localhost/x', REDIS_URL: 'redis://localhost' };
    expect(readConsoleConfig(given).CURRENCY).to.equal('USD');
    expect(readConsoleConfig({ ...given, CURRENCY: 'EUR' }).CURRENCY).to.equal('EUR');
    for (const wrong of ['eur', 'EURO', '€', 'XXZ'])
      expect(() => readConsoleConfig({ ...given, CURRENCY: wrong })).to.throw(
        'CURRENCY: must be a code of ISO 4217',
      );
  });

  it('may change until the first booking, and a changed one stops the start afterwards', async () => {
    expect(await start('EUR')).to.equal('starts');
    expect(await start('JPY')).to.equal('starts');
    await deposit();
    expect(await start('JPY')).to.equal('starts');
    expect(await start('EUR')).to.equal(
      'Wrong settings: CURRENCY: is EUR, and the books are in JPY since their first booking; set it to JPY. ' +
        'Correct them and start again.',
    );
  });

  it('of books without a stored one is that of the first start', async () => {
    await deposit();
    expect(await start('EUR')).to.equal('starts');
    expect(await start('USD')).to.contain('set it to EUR');
  });

  it('delays the start while the database is away', async () => {
    const scope = makeTestScope({ name: 'console-service' });
    let attempts = 0;
    await openCurrency(scope, async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('away');
      await keepCurrency(db.pool, 'EUR');
    });
    expect(attempts).to.equal(2);
    await scope.close();
  });
});
