import { expect } from 'chai';
import { nanos, type Verification } from '../driver/books.js';
import { freshWord } from '../driver/catalog.js';
import { expectAccepted } from '../driver/expect.js';
import { becomes } from '../driver/phone.js';
import { CHANGE_MS_MAX, World } from '../driver/world.js';

const world = new World('plain');

/** The output of `ledger statement --format json`. */
interface Statement {
  readonly account: { readonly kind: string; readonly id: string };
  readonly month: string;
  readonly as_of: string;
  readonly opening_balance: string;
  readonly lines: readonly {
    readonly day: string;
    readonly kind: string;
    readonly reference: string | null;
    readonly counter_account: string | null;
    readonly reason: string | null;
    readonly campaign: string | null;
    readonly app: string | null;
    readonly impressions: number | null;
    readonly amount: string;
    readonly balance: string;
  }[];
  readonly closing_balance: string;
}

const adjust = (account: string, amount: string, reference: string, reason = 'a correction') =>
  world.placard('ledger', 'adjust', account, amount, '--reason', reason, '--reference', reference);
const thisMonth = (): string => new Date().toISOString().slice(0, 7);
const statement = async (id: string, month = thisMonth()): Promise<Statement> => {
  const result = await world.placard('ledger', 'statement', id, '--month', month, '--format', 'json');
  expect(result.status, result.stderr).to.equal(0);
  return JSON.parse(result.stdout) as Statement;
};

const advertiser = world.advertiser({ balance: '0.005' });
const publisher = world.publisher({ revenue_share: 0.7 });
const app = world.app({}, publisher);
const campaign = world.campaign({ apps: [app], advertiser });
const idle = world.advertiser({ balance: 1 });

describe('placard ledger adjust', () => {
  world.use();

  const balanceOf = async (account: string): Promise<bigint | undefined> =>
    (await world.balances()).get(account);

  it('changes an advertiser’s funds within two seconds, down and up again', async () => {
    const phone = await world.phone(app);
    const isFilled = async (): Promise<boolean> => (await phone.outcome('banner')) === campaign.id;
    const account = `advertiser:${advertiser.id}`;
    expect((await adjust(account, '-0.005', `T-${freshWord()}`)).status).to.equal(0);
    expect(await becomes(CHANGE_MS_MAX, async () => !(await isFilled()))).to.equal(true);
    expect((await adjust(account, '0.1', `T-${freshWord()}`)).status).to.equal(0);
    expect(await becomes(CHANGE_MS_MAX, isFilled)).to.equal(true);
    await world.settle();
  });

  it('books an account against the platform once per reference; the books add up', async () => {
    const reference = `T-${freshWord()}`;
    const before = await balanceOf('platform/platform');
    for (let time = 0; time < 2; time += 1)
      expect((await adjust(`publisher:${publisher.id}`, '1.000000001', reference)).status).to.equal(0);
    expect(await balanceOf(`publisher/${publisher.id}`)).to.equal(1_000_000_001n);
    expect((await balanceOf('platform/platform'))! - before!).to.equal(-1_000_000_001n);
    await world.settle();
  });

  it('refuses a booked reference with another amount or account, and a missing account, amount or reason', async () => {
    const reference = `T-${freshWord()}`;
    const account = `advertiser:${idle.id}`;
    expect((await adjust(account, '-0.5', reference)).status).to.equal(0);
    for (const refused of [
      await adjust(account, '0.5', reference),
      await adjust(`publisher:${publisher.id}`, '-0.5', reference),
      await adjust('advertiser:adv_nobody', '1', 'T'),
      await adjust('platform', '1', 'T'),
      await adjust(account, '0', 'T'),
      await adjust(account, '1.0000000001', 'T'),
      await adjust(account, '1', 'T', ''),
      await adjust(account, '1', ''),
    ]) {
      expect(refused.status).to.equal(1);
      expect(refused.stderr).to.match(/^placard: .*\n$/);
    }
    expect(await balanceOf(`advertiser/${idle.id}`)).to.equal(500_000_000n);
  });
});

describe('placard ledger statement', () => {
  world.use();

  it('leads from the opening to the closing balance, for every account', async () => {
    const phone = await world.phone(app);
    await adjust(`advertiser:${advertiser.id}`, '1', `T-${freshWord()}`, 'a gift, "really"');
    for (const fill of await phone.fills(3, 'interstitial')) expectAccepted(await phone.impression(fill));
    await world.settle();
    const balances = await world.balances();
    for (const [name, held] of [
      [`advertiser:${advertiser.id}`, balances.get(`advertiser/${advertiser.id}`)],
      [publisher.id, balances.get(`publisher/${publisher.id}`)],
      ['platform', balances.get('platform/platform')],
      ['deposits', balances.get('deposits/deposits')],
    ] as const) {
      const { opening_balance, lines, closing_balance } = await statement(name);
      const sum = lines.reduce((total, { amount }) => total + nanos(amount), nanos(opening_balance));
      expect(sum, name).to.equal(nanos(closing_balance));
      expect(sum, name).to.equal(held);
      expect(lines.at(-1)?.balance, name).to.equal(closing_balance);
    }
    const { account, lines } = await statement(advertiser.id);
    expect(account).to.deep.equal({ kind: 'advertiser', id: advertiser.id });
    expect(lines.find(({ reason }) => reason === 'a gift, "really"')).to.include({
      kind: 'adjustment',
      counter_account: 'platform',
      amount: '1.000000000',
    });
    expect(lines.find((line) => line.campaign === campaign.id)).to.include({
      kind: 'impression',
      impressions: 3,
      amount: '-0.007500000',
    });
  });

  it('prints CSV and a table too, and is empty without bookings', async () => {
    const print = (format: string, month = thisMonth()) =>
      world.placard('ledger', 'statement', idle.id, '--month', month, '--format', format);
    const lines = (await print('csv')).stdout.trim().split(/\r?\n/);
    expect(lines[0]).to.equal(
      'day,kind,reference,counter_account,reason,campaign,app,impressions,amount,balance,account,month,currency,number',
    );
    const about = `advertiser:${idle.id},${thisMonth()},USD,`;
    expect(lines[1]).to.equal(`,opening_balance,,,,,,,,0.000000000,${about}`);
    expect(lines.at(-1))
      .to.match(/^,closing_balance,,,,,,,,/)
      .and.to.satisfy((line: string) => line.endsWith(about));
    expect((await print('table')).stdout).to.contain(`advertiser:${idle.id}, ${thisMonth()} (UTC)`);
    expect((await print('csv', '2001-01')).stdout.trim().split(/\r?\n/)).to.have.length(3);
    for (const args of [
      ['nobody', '2026-01'],
      [idle.id, '2026-13'],
    ] as const) {
      const refused = await world.placard('ledger', 'statement', args[0], '--month', args[1]);
      expect(refused.status).to.equal(1);
    }
  });
});

describe('placard ledger verify --full', () => {
  world.use();

  it('checks every row, prints progress on standard error and reports ok', async () => {
    await world.settle();
    const result = await world.placard('ledger', 'verify', '--full', '--json');
    expect(result.status, result.stdout).to.equal(0);
    expect(result.stderr).to.match(/^(\d{4}-\d\d-\d\d: [^\n]+; \d+ days? left\n)+$/);
    const { ok, checks } = JSON.parse(result.stdout) as Verification;
    expect(ok).to.equal(true);
    expect(checks.map(({ name }) => name)).to.include('each booking has exactly its entries');
  });
});
