import { LeaseVerdict } from '@placard/protos/events/v1/events.js';
import { codeOf, until } from '@placard/service-kit/testing';
import {
  asAdvertiserId,
  asAppId,
  asCampaignId,
  SELECTION_STEPS,
  type Campaign,
  type CampaignId,
  type CatalogObjects,
  type SelectionStep,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { openRunning, type Running } from './support/running.js';
import { aCampaign, aCreative, anAdvertiser, anApp } from './support/world.js';

const CAP = { count: 1, period: 'session' } as const;
const BLOCKED = asAdvertiserId('adv_blocked');
const RIVAL = asCampaignId('cmp_rival');
const idOf = (step: SelectionStep): CampaignId => asCampaignId(`cmp_${step}`);

/** What makes a campaign lose at each step, besides the budgets at events-service. */
const CAUSES: Readonly<Record<SelectionStep, Partial<Campaign>>> = {
  status: { status: 'paused' },
  schedule: { endsAtMs: 1 },
  approval: { advertiserId: BLOCKED },
  creative: {},
  format: {},
  app: { appIds: [asAppId('app_chess')] },
  category: { appCategories: ['news'] },
  country: { countries: ['AT'] },
  language: { languages: ['pt'] },
  android_version: { androidVersions: [99] },
  cap: { frequencyCap: CAP },
  balance: {},
  budget_total: {},
  budget_daily: {},
  pacing: {},
  outbid: { costNanos: 1n },
};

const VERDICTS: Partial<Record<SelectionStep, LeaseVerdict>> = {
  balance: LeaseVerdict.BALANCE,
  budget_total: LeaseVerdict.TOTAL,
  budget_daily: LeaseVerdict.DAY,
  pacing: LeaseVerdict.PACE,
};

/** One campaign for each of these steps, with a higher bid than the rival unless it is outbid. */
function catalogOf(steps: readonly SelectionStep[]): Partial<CatalogObjects> {
  const campaigns = steps.map((step) => aCampaign({ id: idOf(step), costNanos: 9_000n, ...CAUSES[step] }));
  return {
    advertisers: [anAdvertiser(), anAdvertiser({ id: BLOCKED, isApproved: false })],
    campaigns: [...campaigns, aCampaign({ id: RIVAL, costNanos: 5_000n })],
    creatives: [
      ...steps.map((step) =>
        aCreative({
          campaignId: idOf(step),
          format: step === 'format' ? 'rewarded' : 'banner',
          isApproved: step !== 'creative',
        }),
      ),
      aCreative({ campaignId: RIVAL }),
    ],
  };
}

describe('explanations of a running serving-service', () => {
  let running: Running | null = null;
  afterEach(async () => {
    await running?.close();
    running = null;
  });

  async function open(
    steps: readonly SelectionStep[] = SELECTION_STEPS,
    explainSample = 1,
  ): Promise<Running> {
    running = await openRunning({ catalog: catalogOf(steps), explainSample });
    for (const [step, verdict] of Object.entries(VERDICTS))
      running.spend.bank.forced.set(`cmp_${step}`, verdict);
    return running;
  }

  it('count each campaign at the step where it lost, and keep the request', async () => {
    const { ask, spend, sessionToken } = await open();
    const token = sessionToken();
    // The first fill of the session goes to the campaign with the cap.
    const first = await ask({ sessionToken: token });
    expect(first.result?.$case === 'fill' && first.result.value.campaignId).to.equal(idOf('cap'));
    const { requestId } = await ask({ sessionToken: token });
    await until(() => spend.explained.length === 2);
    const kept = spend.explained.find((one) => one.requestId === requestId);
    if (kept === undefined) throw new Error('the request is not kept');
    expect(kept.winner).to.equal(RIVAL);
    const lostAt = new Map(kept.candidates.map((one) => [one.campaignId, one.lostAt]));
    for (const step of SELECTION_STEPS) expect(lostAt.get(idOf(step)), step).to.equal(step);
    expect(
      JSON.stringify(kept, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).to.not.contain('ses_');
    const counted = (step: SelectionStep) =>
      spend.losses
        .filter((loss) => loss.campaignId === idOf(step) && loss.step === step)
        .reduce((sum, loss) => sum + Number(loss.requests), 0);
    await until(() => counted('outbid') === 2);
    for (const step of SELECTION_STEPS) expect(counted(step), step).to.equal(step === 'cap' ? 1 : 2);
    const rivals = spend.losses.flatMap(({ campaignId, rival }) =>
      campaignId === 'cmp_outbid' ? [rival] : [],
    );
    expect(new Set(rivals)).to.deep.equal(new Set([idOf('cap'), RIVAL]));
  });

  it('count every live request for every campaign, and no test request, also when none is kept', async () => {
    const { ask, change, spend } = await open(['country'], 0);
    await ask();
    await ask({ testForceNoFill: true });
    await ask({ testMode: true });
    await change({ apps: [anApp({ isServingEnabled: false })] });
    await ask();
    const steps = () =>
      spend.losses.flatMap(({ campaignId, step, requests }) =>
        campaignId === idOf('country') ? Array<string>(Number(requests)).fill(step) : [],
      );
    await until(() => steps().length === 3);
    expect(steps().sort()).to.deep.equal(['app', 'app', 'country']);
    expect(spend.explained).to.deep.equal([]);
  });

  it('are kept for every request of a marked app, also without a sample', async () => {
    const { ask, change, spend } = await open(['country'], 0);
    await ask();
    await change({ apps: [anApp({ isExplained: true })] });
    const { requestId } = await ask();
    await until(() => spend.explained.length === 1);
    expect(spend.explained[0]?.requestId).to.equal(requestId);
  });

  it('wait while events-service is down', async () => {
    const { ask, spend } = await open(['country']);
    spend.isDown = true;
    await ask();
    spend.isDown = false;
    await until(() => spend.explained.length === 1);
  });
});

describe('a request that is only tried', () => {
  let running: Running;
  before(async () => {
    running = await openRunning({ catalog: catalogOf([]) });
    for (const [step, verdict] of Object.entries(VERDICTS))
      running.spend.bank.forced.set(`cmp_${step}`, verdict);
  });
  after(() => running.close());

  for (const step of SELECTION_STEPS.filter((one) => one !== 'cap')) {
    it(`names ${step} for a campaign that would lose there`, async () => {
      await running.change(catalogOf([step]));
      const tried = await running.try();
      expect([tried.result, tried.winner, tried.requestId]).to.deep.equal(['fill', RIVAL, '']);
      const probe = tried.candidates.find(({ campaignId }) => campaignId === idOf(step));
      expect(probe?.lostAt).to.equal(step);
      await running.change({ campaigns: [aCampaign({ id: idOf(step), status: 'ended' })] });
    });
  }

  it('names what is left of the budgets of a campaign, and of its cap', async () => {
    const id = asCampaignId('cmp_limited');
    const limits = { budgetTotalNanos: 1_000_000n, budgetDailyNanos: 500_000n, frequencyCap: CAP };
    await running.change({
      campaigns: [aCampaign({ id, costNanos: 9_000n, ...limits })],
      creatives: [aCreative({ campaignId: id })],
    });
    const { candidates } = await running.try();
    const limited = candidates.find(({ campaignId }) => campaignId === id);
    expect([limited?.budgetTotalLeftNanos, limited?.budgetDailyLeftNanos, limited?.capUsed]).to.deep.equal([
      1_000_000n,
      500_000n,
      0,
    ]);
    await running.change({ campaigns: [aCampaign({ id, status: 'ended' })] });
  });

  it('reserves and counts nothing', async () => {
    const { spend, redis } = running;
    await running.try();
    expect(spend.bank.used()).to.equal(0n);
    expect(spend.fills).to.deep.equal([]);
    expect(spend.requests).to.deep.equal([]);
    expect(await redis.dbsize()).to.be.below(2);
  });

  it('names the state of the app or the placement that ends it', async () => {
    await running.change({ apps: [anApp({ isServingEnabled: false })] });
    expect((await running.try()).result).to.equal('serving_disabled');
    await running.change({ apps: [anApp({ isApproved: false })] });
    expect((await running.try()).result).to.equal('app_not_approved');
    await running.change({ apps: [anApp()] });
  });

  it('is not found for an unknown app or placement', async () => {
    expect(await codeOf(running.try({ appId: 'app_none' }))).to.equal('not_found');
    expect(await codeOf(running.try({ placement: 'none' }))).to.equal('not_found');
  });
});
