import { expect } from 'chai';
import { connect } from 'node:net';
import { CODE_OF } from '../driver/catalog.js';
import type { AppEntry, CampaignEntry } from '../driver/catalog.js';
import { expectAccepted, expectRejected } from '../driver/expect.js';
import { becomes, inTurns } from '../driver/phone.js';
import type { Phone } from '../driver/phone.js';
import type { Fill } from '../driver/wire.js';
import { CHANGE_MS_MAX, World } from '../driver/world.js';

const world = new World('plain');
const DAY_MS = 86_400_000;

/** A fill and the phone that received it. */
interface Shown {
  readonly phone: Phone;
  readonly fill: Fill;
}

/** Sends `phones` × `each` requests with up to `width` in flight, and returns the fills. The rest must be no-fills. */
async function rush(app: AppEntry, phones: number, each: number, width: number): Promise<Shown[]> {
  const all = await inTurns(phones, 20, () => world.phone(app));
  const outcomes = await inTurns(phones * each, width, async (index): Promise<Shown | null> => {
    const phone = all[index % phones]!;
    const answer = await phone.request('banner');
    expect(answer.status, answer.text).to.equal(200);
    if (answer.body.status !== 'fill') {
      expect(answer.body.reason).to.equal('no_eligible_campaign');
      return null;
    }
    const { request_id, ad } = answer.body;
    return { phone, fill: { requestId: request_id, token: ad.impression_token, ad } };
  });
  return outcomes.filter((outcome) => outcome !== null);
}

/** With several replicas each may hold a last ad. Steady requests sell all of them within this time. */
const LAST_ADS_MS = 3_000;

/** Like {@link rush}, then sends single requests until everything is sold. */
async function rushUntil(
  isSoldOut: (shown: readonly Shown[]) => boolean,
  ...[app, ...rest]: Parameters<typeof rush>
): Promise<Shown[]> {
  const shown = await rush(app, ...rest);
  const isAlone = world.running.gatewayUrls.length === 1;
  if (isAlone) return shown;
  await becomes(LAST_ADS_MS, async () => {
    if (!isSoldOut(shown)) shown.push(...(await rush(app, 1, 1, 1)));
    return isSoldOut(shown);
  });
  return shown;
}

/** Like {@link rush}, with a budget for `ads` ads. Exactly these are filled. */
async function rushFor(ads: number, ...request: Parameters<typeof rush>): Promise<Shown[]> {
  const shown = await rushUntil(({ length }) => length >= ads, ...request);
  expect(shown.length).to.equal(ads);
  return shown;
}

async function showAll(shown: readonly Shown[]): Promise<void> {
  const answers = await inTurns(shown.length, 20, (index) =>
    shown[index]!.phone.impression(shown[index]!.fill),
  );
  answers.forEach(expectAccepted);
}

describe('a total budget', () => {
  world.use();

  const hundred = world.pair({ budget_total: '0.25' });
  it('of 100 impressions is never overspent by 1,000 requests of 64 clients in 40 sessions', async () => {
    const shown = await rushFor(100, hundred.app, 40, 25, 64);
    await showAll(shown);
    expect(await (await world.phone(hundred.app)).outcome('banner')).to.equal('no_eligible_campaign');
    const campaignRows = await world.rows('campaign', (row) => row.campaign === hundred.campaign.id);
    expect(campaignRows.map((row) => row.spend)).to.deep.equal(['0.250000000']);
  }).timeout(60_000);

  const nearly = world.pair({ budget_total: '0.009999999' });
  it('that lacks one nano-unit for a fourth impression fills three', async () => {
    await rushFor(3, nearly.app, 1, 8, 8);
  });

  const changing = world.pair({ budget_total: '0.005' });
  it('takes effect within 2 seconds when it is raised and when it is lowered', async () => {
    await showAll(await rushFor(2, changing.app, 1, 4, 2));
    changing.campaign.budget_total = '0.0075';
    expect((await world.applyFile(world.file())).status).to.equal(0);
    const phone = await world.phone(changing.app);
    expect(
      await becomes(CHANGE_MS_MAX, async () => (await phone.outcome('banner')) === changing.campaign.id),
    ).to.equal(true);
    changing.campaign.budget_total = '0.0001';
    await world.apply();
    expect((await rush(changing.app, 2, 4, 4)).length).to.equal(0);
    changing.campaign.budget_total = null;
    await world.apply();
    expect((await rush(changing.app, 2, 4, 4)).length).to.equal(8);
  });
});

describe('a daily budget', () => {
  world.use();

  const ten = world.pair({ budget_daily: '0.025' });
  it('of fewer than 100 impressions is not paced: all ten are filled at once, and no eleventh', async () => {
    await rushFor(10, ten.app, 4, 10, 16);
  });

  const asap = world.pair({ budget_daily: '0.5', pacing: 'asap' });
  it('with pacing asap is spent as fast as requests come', async () => {
    await rushFor(200, asap.app, 12, 25, 32);
  });

  const even = world.pair({ budget_daily: '0.5', pacing: 'even' });
  it('with pacing even is spread over the UTC day, and the first request may always fill', async () => {
    const phone = await world.phone(even.app);
    expect(await phone.outcome('banner')).to.equal(even.campaign.id);
    const fills = (await rush(even.app, 12, 25, 32)).length + 1;
    const dayPart = (Date.now() % DAY_MS) / DAY_MS;
    expect(fills).to.be.at.most(200);
    expect(fills).to.be.at.most(Math.ceil(200 * dayPart) + 50);
  });

  const free = world.pair({ budget_total: '0.05', pacing: 'even' });
  it('that is not set is not paced', async () => {
    await rushFor(20, free.app, 2, 12, 12);
  });
});

describe("an advertiser's balance", () => {
  world.use();

  const app = world.app();
  const advertiser = world.advertiser({ balance: '0.1' });
  const siblings = [3, 3, 2.5].map((bid_cpm) =>
    world.campaign({ apps: [app], advertiser, bid_cpm, budget_total: 0.09 }),
  );
  it('is shared by its campaigns and never overspent, and a deposit takes effect within 2 seconds', async () => {
    const cost = (fill: Fill): bigint => (fill.ad.campaign_id === siblings[2]!.id ? 2_500_000n : 3_000_000n);
    const costOf = (ads: readonly Shown[]): bigint => ads.reduce((sum, { fill }) => sum + cost(fill), 0n);
    const shown = await rushUntil((ads) => 100_000_000n - costOf(ads) < 2_500_000n, app, 8, 20, 48);
    const reserved = costOf(shown);
    expect(reserved <= 100_000_000n).to.equal(true);
    expect(100_000_000n - reserved < 2_500_000n, 'the rest is less than one impression').to.equal(true);
    await showAll(shown);
    const result = await world.placard(
      'advertiser',
      'deposit',
      advertiser.id,
      '0.003',
      '--reference',
      advertiser.id,
    );
    expect(result.status, result.stderr).to.equal(0);
    const phone = await world.phone(app);
    expect(
      await becomes(CHANGE_MS_MAX, async () => (await phone.request('banner')).body.status === 'fill'),
    ).to.equal(true);
    await world.settle();
    const left = (await world.balances()).get(`advertiser/${advertiser.id}`)!;
    expect(left).to.equal(103_000_000n - reserved);
  });

  const tight = world.app();
  const rich = world.advertiser({ balance: '0.01' });
  const limits: readonly Partial<CampaignEntry>[] = [{ budget_total: '0.005' }, { budget_daily: '0.005' }];
  const bounded = limits.map((limit) => world.campaign({ apps: [tight], advertiser: rich, ...limit }));
  it('does not change by a reservation that another limit of the campaign refuses', async () => {
    const shown = await rushFor(4, tight, 2, 10, 10);
    const perCampaign = bounded.map(
      ({ id }) => shown.filter(({ fill }) => fill.ad.campaign_id === id).length,
    );
    expect(perCampaign).to.deep.equal([2, 2]);
  });
});

const fraud = new World('fraud');
const returned = fraud.pair({ budget_total: '0.1525' });

describe('a suspicious impression', () => {
  fraud.use();

  it('returns its reservation at once, and only once', async () => {
    const phone = await fraud.phone(returned.app);
    const fills = await phone.fills(61, 'interstitial');
    expect(await phone.outcome('interstitial')).to.equal('no_eligible_campaign');
    for (const fill of fills.slice(0, 60)) expectAccepted(await phone.impression(fill));
    for (let again = 0; again < 4; again += 1)
      expectRejected(await phone.impression(fills[60]!), 'suspicious');
    const other = await fraud.phone(returned.app);
    const isBack = await becomes(3_000, async () => (await other.outcome('banner')) === returned.campaign.id);
    expect(isBack).to.equal(true);
    const later = await inTurns(10, 2, () => other.outcome('banner'));
    expect(new Set(later)).to.deep.equal(new Set(['no_eligible_campaign']));
  });
});

/** Ads that the budget pays for, at 2.50 for a thousand. */
const ADS = 100;
/** Clients that leave. Each of their sessions stays below the fraud rule's 30 ad requests a minute. */
const CLIENTS = 400;
/** How long such a client waits, in milliseconds: its ad is chosen by then, and only the fraud verdict is missing. */
const PATIENCE_MS = 100;
/** A fill of a client that has left is headroom again within this time. Its ad would live for half an hour. */
const GIVEN_BACK_MS_MAX = 10_000;

/** Sends an ad request and closes the connection without reading the answer. */
function askAndLeave(phone: Phone): Promise<void> {
  const { hostname, port } = new URL(world.running.gatewayUrls[0]!);
  const body = JSON.stringify({
    app_key: phone.app.app_key,
    placement: CODE_OF.banner,
    format: 'banner',
    session_token: phone.token,
  });
  const head = `POST /v1/ads/request HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head}\r\n\r\n${body}`, () => setTimeout(() => socket.resetAndDestroy(), PATIENCE_MS));
    });
    socket.on('close', () => resolve());
    socket.on('error', () => undefined);
  });
}

/** Runs `doIt` while no fraud-service answers, so that no ad request is filled. */
async function withoutVerdicts(doIt: () => Promise<unknown>): Promise<void> {
  const pids = Object.entries(world.running.pids).filter(([name]) => name.startsWith('fraud-service'));
  const signal = (what: 'SIGSTOP' | 'SIGCONT'): void => {
    for (const [, pid] of pids) process.kill(pid, what);
  };
  signal('SIGSTOP');
  try {
    await doIt();
  } finally {
    signal('SIGCONT');
  }
}

// Contract: docs/contract/failures.md#a-client-that-leaves.
describe('ad requests of clients that leave', () => {
  world.use();
  const { app } = world.pair({ budget_total: '0.25' });

  it('hold no money of a campaign, whose other ads are sold within seconds and not once more', async () => {
    const leaving = await inTurns(40, 10, () => world.phone(app));
    const staying = await inTurns(250, 10, () => world.phone(app));
    await withoutVerdicts(() =>
      inTurns(CLIENTS, 100, (index) => askAndLeave(leaving[index % leaving.length]!)),
    );
    let requests = 0;
    let fills = 0;
    const askForMore = async (): Promise<void> => {
      // Requests fail until serving-service has found fraud-service again.
      const answers = await inTurns(50, 10, () => staying[requests++ % staying.length]!.request('banner'));
      fills += answers.filter(({ body }) => body.status === 'fill').length;
    };
    const areSold = await becomes(GIVEN_BACK_MS_MAX, async () => {
      await askForMore();
      return fills >= ADS;
    });
    expect(areSold, `${fills} were sold`).to.equal(true);
    await askForMore();
    expect(fills).to.equal(ADS);
  }).timeout(60_000);
});
