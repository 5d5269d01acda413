import { startProduct, type Product } from '@placard/local';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEMO_APP } from './driver/catalog.js';
import { makeCertificates, type Certificates } from './driver/certificates.js';
import { becomes, Phone } from './driver/phone.js';
import { runPlacard, type CommandResult } from './driver/placard.js';

const START_MS_MAX = 120_000;
const ARRIVAL_MS_MAX = 20_000;
const VALID_DAYS = 1;
const ADVERTISER = 'adv_northwind';

describe('a product whose processes have certificates and require TLS', () => {
  let folder: string;
  let certificates: Certificates;
  let database: TestDatabase;
  let product: Product;

  before('it is started', async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-tls-'));
    certificates = await makeCertificates(folder);
    await certificates.issueAll(VALID_DAYS);
    database = await openTestDatabase({ migrations: [] });
    const redis = new URL(process.env['TEST_REDIS_URL'] ?? '');
    redis.pathname = '/9';
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.href, REQUIRE_TLS: '1' };
    product = await startProduct({ env, certificatesDir: folder });
  }).timeout(START_MS_MAX);

  after(async () => {
    await product.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  }).timeout(START_MS_MAX);

  const placardAs = (holder: string, ...args: readonly string[]): Promise<CommandResult> =>
    runPlacard(product.consoleAddress, args, certificates.settingsOf(holder));

  const livesWell = async (): Promise<boolean> => {
    try {
      const phone = await Phone.open(product.gatewayUrl, DEMO_APP);
      const fill = await phone.fill('banner', { placement: 'home_banner' });
      return (await phone.impression(fill)).status === 200;
    } catch {
      return false;
    }
  };

  it('serves an ad and books its impression, and the books agree', async () => {
    expect(await becomes(ARRIVAL_MS_MAX, livesWell)).to.equal(true);
    const { status, stdout, stderr } = await placardAs('operator', 'ledger', 'verify', '--wait');
    expect(status, stdout + stderr).to.equal(0);
  });

  it('lets an operator deposit money and read the balances', async () => {
    const deposit = ['advertiser', 'deposit', ADVERTISER, '25', '--reference', 'tls-1'];
    const { status, stderr } = await placardAs('operator', ...deposit);
    expect(status, stderr).to.equal(0);
    const booked = async (): Promise<boolean> =>
      (await placardAs('operator', 'ledger', 'balances', '--json')).stdout.includes(ADVERTISER);
    expect(await becomes(ARRIVAL_MS_MAX, booked)).to.equal(true);
  });

  it('lets the command in the container of console-service do the same', async () => {
    expect(await placardAs('console-service', 'ledger', 'balances')).to.include({ status: 0 });
  });

  it('answers operators through the gateway too', async () => {
    const { status, stderr } = await runPlacard(product.gatewayUrl, ['ledger', 'balances']);
    expect(status, stderr).to.equal(0);
  });

  it('does not answer a command without TLS', async () => {
    const { status, stderr } = await runPlacard(product.consoleAddress, ['ledger', 'balances']);
    expect(status).to.equal(1);
    expect(stderr).to.contain('uses TLS, and the command does not. Set TLS_CERT_FILE');
  });

  it('goes on with new certificates without a restart, also for a process that starts with one', async () => {
    await certificates.issueAll(VALID_DAYS);
    await product.kill('gateway');
    await product.restart('gateway');
    expect(await becomes(ARRIVAL_MS_MAX, livesWell)).to.equal(true);
    const read = (): Promise<boolean> =>
      Promise.resolve(
        readFileSync(path.join(product.dataDir, 'logs', 'serving-service.log'), 'utf8').includes(
          'certificates were read again',
        ),
      );
    expect(await becomes(ARRIVAL_MS_MAX, read)).to.equal(true);
  });
});
