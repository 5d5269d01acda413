import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CampaignSpend } from '@placard/protos/events/v1/delivery.js';
import { DAY_MS, dayOf } from '@placard/service-kit/pure';
import { until } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { exampleWith } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { runCommand } from '../support/run-command.js';

const NEVER_SOLD: CampaignSpend = {
  advertiserId: '',
  campaignId: '',
  spentNanos: 0n,
  daySpentNanos: 0n,
  openNanos: 0n,
  dayOpenNanos: 0n,
  shownNanos: 0,
  unshownNanos: 0,
};

describe('the placard command about delivery', () => {
  let instance: TestConsole;
  let folder: string;
  before(async () => {
    instance = await openTestConsole();
    folder = mkdtempSync(path.join(tmpdir(), 'placard-delivery-'));
    const file = fileOf(
      'catalog.yaml',
      exampleWith('name: Northwind\n    approved: true', 'name: Northwind').replace(
        'languages: []',
        'languages: [de]',
      ),
    );
    expect(await run('catalog', 'apply', file)).to.include({ status: 0, err: '' });
    const today = dayOf(Date.now());
    instance.events.auctions = [7, 6, 5, 4, 3, 2, 1].map((ago) => ({
      day: BigInt(today - ago),
      unsold: 100n,
      impressions: 50n,
      sold: [{ priceNanos: 9_000_000_000n, fills: 100n }],
    }));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await instance.close();
  });

  const run = (...args: readonly string[]) => runCommand(args, instance.commandEnv);
  const fileOf = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  it('shows concerns as a table, as JSON and as CSV', async () => {
    // The applied catalog reaches its readers a moment later.
    await until(async () => (await run('health')).out.includes('not_approved'));
    const table = await run('health');
    expect(table).to.include({ status: 0, err: '' });
    expect(table.out).to.match(/^concern +subject +plan USD +delivered USD +projected USD +since +what\n/);
    expect(table.out).to.match(
      /^not_approved +advertiser adv_northwind .*The advertiser is not approved\.$/m,
    );
    const { currency, rows } = JSON.parse((await run('health', '--format', 'json')).out) as {
      readonly currency: string;
      readonly rows: readonly Readonly<Record<string, unknown>>[];
    };
    expect(currency).to.equal('USD');
    const unapproved = rows.find(({ kind }) => kind === 'not_approved');
    expect(unapproved).to.include({ subject_kind: 'advertiser', subject: 'adv_northwind', plan: null });
    const csv = (await run('health', '--format', 'csv')).out.split('\r\n');
    expect(csv[0]).to.equal(
      'as_of,currency,kind,subject_kind,subject,reason,since,budget,plan,delivered,projected,left,days_left,fills,impressions,requests,usual_requests,detail',
    );
    expect(
      csv.some((line) => /^\d{4}-.*Z,USD,not_approved,advertiser,adv_northwind,approval,,/.test(line)),
    ).to.equal(true);
  });

  it('forecasts a planned campaign from a file, with its budget', async () => {
    const plan = 'bid_cpm: 2.50\nbudget_daily: 0.05\nends_at: ';
    const file = fileOf('plan.yaml', `${plan}${new Date(Date.now() + 2 * DAY_MS).toISOString()}\n`);
    const { out, err, status } = await run('forecast', file, '--format', 'json');
    expect({ err, status }).to.deep.equal({ err: '', status: 0 });
    const forecast = JSON.parse(out) as {
      readonly currency: string;
      readonly history_days: number;
      readonly days: readonly { readonly impressions: number; readonly spend: string }[];
    };
    expect(forecast).to.include({ currency: 'USD', history_days: 7 });
    expect(forecast.days[1]).to.include({ impressions: 20, spend: '0.050000000' });
    expect((await run('forecast', file)).out).to.match(/^day .* spend USD\n.*^total +\d+/ms);
    expect((await run('forecast', file, '--format', 'csv')).out).to.match(
      /^subject,day,requests,fills,impressions,spend,currency\r\n/,
    );
  });

  it('forecasts a campaign of the catalog, and says what the history does not have', async () => {
    const { out, status } = await run('forecast', '--campaign', 'cmp_spring');
    expect(status, out).to.equal(0);
    expect(out).to.contain('Too high: the history does not have languages.');
  });

  it('forecasts a campaign of the catalog with what is left of its total budget', async () => {
    const spendOf = async (): Promise<string> => {
      const { out } = await run('forecast', '--campaign', 'cmp_spring', '--format', 'json');
      return (JSON.parse(out) as { readonly total: { readonly spend: string } }).total.spend;
    };
    expect(Number(await spendOf())).to.be.above(0.005);
    // Its total budget is 200.
    instance.events.spend = [{ ...NEVER_SOLD, campaignId: 'cmp_spring', spentNanos: 199_995_000_000n }];
    expect(await spendOf()).to.equal('0.005000000');
    instance.events.spend = [];
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['a bid that is no amount', 'bid_cpm: much', /bid_cpm/],
    ['an unknown field', 'bid_cpm: 1\nbid: 2', /bid/],
    ['a budget below zero', 'bid_cpm: 1\nbudget_total: -1', /budget_total/],
    ['a list', '[]', /mapping/],
  ];
  for (const [name, text, fault] of refused) {
    it(`refuses a plan with ${name}`, async () => {
      const { status, err } = await run('forecast', fileOf('bad.yaml', text));
      expect(status).to.equal(1);
      expect(err).to.match(fault);
    });
  }

  it('refuses to forecast an unknown campaign, or nothing', async () => {
    expect((await run('forecast', '--campaign', 'cmp_gone')).err).to.contain(
      'There is no campaign cmp_gone.',
    );
    expect((await run('forecast')).err).to.contain('--campaign ID');
  });

  it('adds, lists and removes webhooks, and shows the keys of their signatures', async () => {
    const added = await run('webhook', 'add', 'https://93.184.216.34/hook', '--name', 'chat');
    const [, id = ''] = /^added webhook (whk_[0-9a-f]{32}) \(chat\)\n$/.exec(added.out) ?? [];
    expect(id, added.err).not.to.equal('');
    expect((await run('webhook', 'list')).out)
      .to.contain(id)
      .and.to.contain('https://93.184.216.34/hook');
    expect((await run('webhook', 'keys')).out)
      .to.match(/"crv": "Ed25519"/)
      .and.not.to.match(/"d":/);
    expect((await run('webhook', 'remove', id)).out).to.equal(`removed webhook ${id}\n`);
    expect((await run('webhook', 'remove', id)).err).to.contain('There is no webhook');
    const refusal = await run('webhook', 'add', 'https://10.0.0.1/', '--name', 'inside');
    expect(refusal.status).to.equal(1);
    expect(refusal.err).to.match(/private/);
  });
});
