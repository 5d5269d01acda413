import { codeOf, until } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { asCampaignId, asSessionId, DAY_MS, HOUR_MS, minuteOf } from '@placard/service-kit/pure';
import type { AdFormat } from '@placard/protos/catalog/v1/catalog.js';
import { FillFate, NoFillReason, type RequestAdResponse } from '@placard/protos/serving/v1/serving.js';
import { fillOf, openRunning, type Running, type RunningOptions } from './support/running.js';
import { count, fillOutcome, outcomeOf } from './support/outcomes.js';
import { FIRST_ADS } from '../src/budgets/domain/wallet.js';
import { aCampaign, AD_TTL_MS, anAdvertiser, anApp, aPlacement } from './support/world.js';

const COST = 2_500_000n;

const NO_ELIGIBLE = String(NoFillReason.NO_ELIGIBLE_CAMPAIGN);
const CAPPED = String(NoFillReason.FREQUENCY_CAPPED);

describe('serving-service', () => {
  let running: Running | null = null;

  async function open(options: RunningOptions = {}): Promise<Running> {
    running = await openRunning(options);
    return running;
  }

  afterEach(async () => {
    await running?.close();
    running = null;
  });

  describe('a fill', () => {
    it('has the ad and a token with all data for settling', async () => {
      const { ask, clock, openImpression } = await open();
      const response = await ask({ country: 'DE' });
      const fill = fillOf(response);
      expect(fill).to.include({ campaignId: 'cmp_spring', creativeId: 'cr_spring_banner', test: false });
      expect(fill.expiresAtMs).to.equal(BigInt(clock.now() + AD_TTL_MS));
      expect(fill.durationSeconds).to.equal(undefined);
      const claims = openImpression(fill.impressionToken);
      expect(claims).to.include({
        requestId: response.requestId,
        appId: 'app_puzzle',
        publisherId: 'pub_sunrise',
        placement: 'home_banner',
        format: 'banner',
        country: 'DE',
        advertiserId: 'adv_north',
        costNanos: COST,
        publisherNanos: 1_750_000n,
        bannerRefreshSeconds: 30,
        isTest: false,
        filledAtMs: clock.now(),
      });
    });

    it('is refused for a format of a newer gateway, which no placement has', async () => {
      const { ask } = await open();
      expect(await codeOf(ask({ format: 999 as AdFormat }))).to.equal('format_mismatch');
    });

    it('has its own request id, ad id and token each time, even in parallel in one session', async () => {
      const { ask, sessionToken } = await open();
      const token = sessionToken();
      const fills = await Promise.all(Array.from({ length: 10 }, () => ask({ sessionToken: token })));
      expect(new Set(fills.map(({ requestId }) => requestId)).size).to.equal(10);
      expect(new Set(fills.map((one) => fillOf(one).adId)).size).to.equal(10);
      expect(new Set(fills.map((one) => fillOf(one).impressionToken)).size).to.equal(10);
    });

    it('of the test ad costs nothing and is not counted', async () => {
      const { ask, redis, spend, openImpression } = await open();
      const fill = fillOf(await ask({ testMode: true }));
      expect(fill).to.include({ campaignId: 'cmp_test', creativeId: 'cr_test_banner', test: true });
      expect(fill.creativeUrl).to.equal('https://ads.example.com/creatives/test/banner.png');
      const claims = openImpression(fill.impressionToken);
      expect(claims).to.include({
        costNanos: 0n,
        publisherNanos: 0n,
        advertiserId: 'adv_test',
        isTest: true,
      });
      expect(await redis.dbsize()).to.equal(0);
      expect(spend.requests).to.eql([]);
    });
  });

  it('answers with the errors of the contract over the wire', async () => {
    const { ask, sessionToken, clock } = await open();
    const expired = sessionToken({ expiresAtMs: clock.now() });
    const test = await ask({ testMode: true });
    expect(await codeOf(ask({ sessionToken: 'forged' }))).to.equal('invalid_session');
    expect(await codeOf(ask({ sessionToken: fillOf(test).impressionToken }))).to.equal('invalid_session');
    expect(await codeOf(ask({ sessionToken: expired }))).to.equal('session_expired');
    expect(await codeOf(ask({ appKey: 'app_x' }))).to.equal('invalid_app_key');
    expect(await codeOf(ask({ placement: 'nowhere' }))).to.equal('placement_not_found');
  });

  it('checks the expiry of a session whose token is cached', async () => {
    const { ask, sessionToken, clock } = await open();
    const token = sessionToken();
    await ask({ sessionToken: token });
    clock.advance(3_600_000);
    const error: unknown = await ask({ sessionToken: token }).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'session_expired' });
  });

  describe('budgets', () => {
    it('allow exactly the remaining fills for 64 clients in 40 sessions on two replicas', async () => {
      const campaigns = [aCampaign({ budgetTotalNanos: 100n * COST })];
      const { ask, sessionToken } = await open({ catalog: { campaigns }, replicas: 2 });
      const tokens = Array.from({ length: 40 }, () => sessionToken());
      const answers: RequestAdResponse[] = [];
      const client = async (n: number): Promise<void> => {
        for (let turn = 0; turn < 16; turn += 1) {
          answers.push(await ask({ sessionToken: tokens[(n + turn) % 40]! }, (n + turn) % 2));
        }
      };
      await Promise.all(Array.from({ length: 64 }, (_, n) => client(n)));
      expect(answers).to.have.length(1_024);
      expect(count(answers, 'fill')).to.equal(100);
      expect(count(answers, NO_ELIGIBLE)).to.equal(924);
    });

    it('are shared by all campaigns of one advertiser', async () => {
      const ids = ['cmp_a', 'cmp_b', 'cmp_c'].map(asCampaignId);
      const { ask } = await open({
        catalog: {
          advertisers: [anAdvertiser({ fundedNanos: 30n * COST })],
          campaigns: ids.map((id) => aCampaign({ id })),
        },
        replicas: 2,
      });
      const answers = await Promise.all(Array.from({ length: 120 }, (_, n) => ask({}, n % 2)));
      expect(count(answers, 'fill')).to.equal(30);
    });

    it('leave the request to the next bid when they are spent, for any number of higher bids', async () => {
      const spent = Array.from({ length: 300 }, (_, n) =>
        aCampaign({ id: asCampaignId(`cmp_${n}`), costNanos: COST + BigInt(n + 1), budgetTotalNanos: 1n }),
      );
      const last = aCampaign({ id: asCampaignId('cmp_last'), costNanos: COST });
      const { ask } = await open({ catalog: { campaigns: [...spent, last] } });
      expect(fillOf(await ask()).campaignId).to.equal('cmp_last');
    });

    it('allow fills again with the next request after a limit was raised', async () => {
      const one = aCampaign({ budgetTotalNanos: COST });
      const { ask, change } = await open({ catalog: { campaigns: [one] } });
      expect(outcomeOf(await ask())).to.equal('fill');
      expect(outcomeOf(await ask())).to.equal(NO_ELIGIBLE);
      await change({ campaigns: [{ ...one, budgetTotalNanos: 2n * COST }] });
      expect(outcomeOf(await ask())).to.equal('fill');
      await change({ campaigns: [{ ...one, budgetTotalNanos: COST }] });
      expect(outcomeOf(await ask())).to.equal(NO_ELIGIBLE);
    });

    it('allow fills within a second after events-service has released money, and not before', async () => {
      const campaigns = [aCampaign({ budgetTotalNanos: COST })];
      const opened = await open({ catalog: { campaigns } });
      const { ask, replicas, spend, clock } = opened;
      const outcome = fillOutcome(opened, await ask(), FillFate.SUSPICIOUS);
      await replicas[0]!.commitReservations({ outcomes: [outcome] });
      expect(outcomeOf(await ask())).to.equal(NO_ELIGIBLE);
      for (const lease of spend.bank.leases.values()) {
        spend.bank.count(lease, COST, 'suspicious');
        spend.bank.release(lease);
      }
      clock.advance(1_000);
      await until(async () => outcomeOf(await ask()) === 'fill', 1_000);
      expect(outcomeOf(await ask())).to.equal(NO_ELIGIBLE);
    });

    it('of a day start again 50 ms after midnight, and at once after the clock jumps either way', async () => {
      const campaigns = [aCampaign({ budgetDailyNanos: 2n * COST })];
      const { ask, clock } = await open({ catalog: { campaigns } });
      const midnight = Date.UTC(2026, 4, 1);
      clock.set(midnight - 50);
      expect([outcomeOf(await ask()), outcomeOf(await ask()), outcomeOf(await ask())]).to.eql([
        ...['fill', 'fill', NO_ELIGIBLE],
      ]);
      for (const atMs of [50, 2 * HOUR_MS + DAY_MS, 50 * HOUR_MS, -36 * HOUR_MS]) {
        clock.set(midnight + atMs);
        const outcomes = [];
        for (let turn = 0; turn < 3; turn += 1) outcomes.push(outcomeOf(await ask()));
        expect(outcomes, String(atMs)).to.eql(['fill', 'fill', NO_ELIGIBLE]);
      }
    });

    it('let the first request of a day fill, and spread the remaining even daily budget', async () => {
      const campaigns = [aCampaign({ budgetDailyNanos: 1_000n * COST })];
      const { ask, clock } = await open({ catalog: { campaigns } });
      clock.set(Date.UTC(2026, 4, 1));
      const answers = [];
      for (let turn = 0; turn < 20; turn += 1) answers.push(await ask());
      expect(outcomeOf(answers[0]!)).to.equal('fill');
      expect(count(answers, 'fill')).to.be.within(1, 8);
    });

    it('are not spread for an asap campaign, or below 100 impressions a day', async () => {
      const asap = aCampaign({ budgetDailyNanos: 1_000n * COST, pacing: 'asap' });
      const { ask, change } = await open({ catalog: { campaigns: [asap] } });
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask()));
      expect(count(answers, 'fill')).to.equal(50);
      await change({ campaigns: [{ ...asap, budgetDailyNanos: 99n * COST, pacing: 'even' }] });
      const more = await Promise.all(Array.from({ length: 60 }, () => ask()));
      expect(count(more, 'fill')).to.equal(49);
    });
  });

  describe('the report to events-service', () => {
    it('contains each live request and fill once', async () => {
      const campaigns = [aCampaign({ budgetTotalNanos: 3n * COST })];
      const { ask, spend, clock, close } = await open({ catalog: { campaigns } });
      for (let turn = 0; turn < 5; turn += 1) await ask({ country: 'DE' });
      await ask({ testForceNoFill: true });
      await ask({ testMode: true });
      running = null;
      await close();
      const requests = spend.requests.map((row) => [row.noFillReason, Number(row.count)] as const);
      const sums = new Map<string, number>();
      for (const [reason, times] of requests) sums.set(reason, (sums.get(reason) ?? 0) + times);
      expect(Object.fromEntries(sums)).to.eql({ '': 3, no_eligible_campaign: 2, test_no_fill: 1 });
      const traffic = spend.traffic.map((row) => [row.appCategory, Number(row.requests)]);
      // Five requests had a campaign, spent or not. The forced no-fill and the test ad do not count.
      expect(traffic.reduce((sum, [, requests]) => sum + Number(requests), 0)).to.equal(5);
      expect(new Set(traffic.map(([category]) => category))).to.eql(new Set(['games']));
      expect(spend.fills.reduce((sum, row) => sum + Number(row.count), 0)).to.equal(3);
      expect(spend.fills[0]).to.include({
        minute: BigInt(minuteOf(clock.now())),
        campaignId: 'cmp_spring',
        creativeId: 'cr_spring_banner',
        country: 'DE',
      });
    });

    it('contains requests that the fraud cap refuses, but not as traffic for plans', async () => {
      const { ask, spend, fraud, close } = await open();
      await ask();
      fraud.passes = false;
      for (let turn = 0; turn < 3; turn += 1) expect(outcomeOf(await ask())).to.equal(NO_ELIGIBLE);
      running = null;
      await close();
      const sum = (counts: readonly bigint[]): number => counts.reduce((all, one) => all + Number(one), 0);
      expect(sum(spend.requests.map((row) => row.count))).to.equal(4);
      expect(sum(spend.traffic.map((row) => row.requests))).to.equal(1);
      expect(spend.bank.used()).to.equal(COST);
    });

    it('contains the end of every lease when the process stops, with fills and no other money', async () => {
      const campaigns = [aCampaign({ budgetTotalNanos: 100n * COST })];
      const { ask, spend, close } = await open({ catalog: { campaigns } });
      for (let turn = 0; turn < 3; turn += 1) await ask();
      running = null;
      await close();
      expect(spend.bank.used()).to.equal(3n * COST);
      for (const lease of spend.bank.leases.values()) {
        expect(lease).to.include({ isEnded: true, filled: 3n * COST });
      }
    });
  });

  describe('when a dependency is down', () => {
    it('fraud-service: requests are answered without the cap on ad requests', async () => {
      const { ask, fraud } = await open();
      fraud.passes = false;
      expect(outcomeOf(await ask())).to.equal(NO_ELIGIBLE);
      fraud.isDown = true;
      expect(outcomeOf(await ask())).to.equal('fill');
    });

    it('events-service: leased money is sold, then live requests end with no_eligible_campaign', async () => {
      const { ask, spend, scrape } = await open();
      expect(outcomeOf(await ask())).to.equal('fill');
      spend.isDown = true;
      for (let turn = 1; turn < FIRST_ADS; turn += 1) expect(outcomeOf(await ask())).to.equal('fill');
      expect(outcomeOf(await ask())).to.equal(NO_ELIGIBLE);
      expect(outcomeOf(await ask()), 'without a wait').to.equal(NO_ELIGIBLE);
      expect(await scrape('placard_serving_lease_waits_total')).to.match(/outcome="unavailable"\} 1$/m);
      spend.isDown = false;
      await until(async () => outcomeOf(await ask()) === 'fill', 2_000);
    });

    it('Redis: live requests end with no_eligible_campaign, and test ads are served', async () => {
      const placements = [aPlacement({ frequencyCap: { count: 1, period: 'session' } })];
      const { ask } = await open({ catalog: { placements }, redisUrl: 'redis://127.0.0.1:1' });
      expect(outcomeOf(await ask())).to.equal(NO_ELIGIBLE);
      expect(outcomeOf(await ask({ testMode: true }))).to.equal('fill');
    });
  });

  it('gives no wrong answer when Redis has lost its script cache', async () => {
    const campaigns = [aCampaign({ budgetTotalNanos: 5n * COST })];
    const { ask, redis } = await open({ catalog: { campaigns } });
    await ask();
    await redis.script('FLUSH');
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(count(answers, 'fill')).to.equal(4);
  });

  it('applies switches, approvals and new campaigns of the catalog to the next request', async () => {
    const { ask, change } = await open();
    await change({ global: { isServingEnabled: false } });
    expect(outcomeOf(await ask())).to.equal(String(NoFillReason.SERVING_DISABLED));
    await change({ global: { isServingEnabled: true }, placements: [aPlacement({ isPaused: true })] });
    expect(outcomeOf(await ask())).to.equal(String(NoFillReason.PLACEMENT_DISABLED));
    await change({ placements: [aPlacement()], apps: [anApp({ isApproved: false })] });
    const error: unknown = await ask().catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'app_not_approved' });
  });

  it('keeps sessions apart', async () => {
    const placements = [aPlacement({ frequencyCap: { count: 1, period: 'session' } })];
    const { ask, sessionToken } = await open({ catalog: { placements } });
    for (const id of ['ses_a', 'ses_b']) {
      const token = sessionToken({ sessionId: asSessionId(id) });
      expect(outcomeOf(await ask({ sessionToken: token }))).to.equal('fill');
      expect(outcomeOf(await ask({ sessionToken: token }))).to.equal(CAPPED);
    }
  });

  it('counts its answers by outcome', async () => {
    const { ask, scrape } = await open();
    await ask();
    await ask({ testForceNoFill: true });
    const text = await scrape('placard_serving_answers_total');
    expect(text).to.match(/outcome="fill",test="false"\} 1/);
    expect(text).to.match(/outcome="test_no_fill",test="false"\} 1/);
  });
});
