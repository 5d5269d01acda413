import { expect } from 'chai';
import type { CampaignOptions } from '../../driver/world.js';
import { World } from '../../driver/world.js';
import { expectAccepted, fillOf } from '../../driver/expect.js';
import { becomes } from '../../driver/phone.js';

// The catalog of this product is small enough to be judged whole.
const world = new World('fraud');

const app = world.app({ explained: true });
const offApp = world.app({ serving_enabled: false });
const unapprovedApp = world.app({ approved: false });

/** Price of an impression of the probes. */
const PRICE = '0.005';
/** A campaign that would win, were it not for one cause. */
const probe = (cause: CampaignOptions) => world.campaign({ apps: [app], bid_cpm: 5, ...cause });
const targeting = (over: object) => ({ app_ids: [app.id], ...over });

const rival = world.campaign({ apps: [app], bid_cpm: 1 });
const probes = {
  status: probe({ status: 'paused' }),
  creative: probe({}),
  language: probe({ targeting: targeting({ languages: ['pt'] }) }),
  android_version: probe({ targeting: targeting({ android_versions: [10] }) }),
  cap: probe({ frequency_cap: { count: 1, period: 'session' } }),
  balance: probe({ balance: PRICE }),
  budget_total: probe({ budget_total: PRICE }),
  pacing: probe({ budget_daily: 5 }),
  outbid: probe({ bid_cpm: 0.5 }),
};
for (const creative of probes.creative.creatives) creative.approved = false;

/** Requests until the rival wins: more than that the probes can fill. */
const REQUESTS_MAX = 60;

interface Explained {
  readonly result: string;
  readonly winner: string | null;
  readonly candidates: readonly { readonly campaign: string; readonly lost_at: string | null }[];
}

interface Funnel {
  readonly steps: readonly { readonly step: string; readonly lost: number }[];
  readonly candidates: number;
  readonly fills: number;
  readonly impressions: number;
  readonly sampled: number;
  readonly outbid_by: readonly { readonly campaign: string; readonly count: number }[];
}

async function explain<Shape>(...args: readonly string[]): Promise<Shape> {
  const { stdout, stderr } = await world.placard('explain', ...args, '--format', 'json');
  expect(stderr).to.equal('');
  return JSON.parse(stdout) as Shape;
}

const funnelOf = ({ id }: { readonly id: string }) => explain<Funnel>('campaign', id);
const lostAt = ({ steps }: Funnel, step: string) => steps.find((one) => one.step === step)?.lost ?? 0;

describe('explanations', () => {
  world.use();
  let requests = 0;
  let fills = 0;
  let rivalRequest = '';

  before('requests of one phone, until the rival wins', async () => {
    const phone = await world.phone(app);
    while (rivalRequest === '') {
      requests += 1;
      expect(requests, 'requests before the rival wins').to.be.below(REQUESTS_MAX);
      const answer = await phone.request('banner', { language: 'de', android_version: '14' });
      // On a busy machine the money for the first requests may come late.
      if (answer.body.status !== 'fill') continue;
      fills += 1;
      const fill = fillOf(answer);
      if (fill.ad.campaign_id !== rival.id) continue;
      rivalRequest = fill.requestId;
      expectAccepted(await phone.impression(fill));
    }
  });

  it('of a request name the first step that each campaign failed', async () => {
    const isKept = async () => (await world.placard('explain', 'request', rivalRequest)).status === 0;
    expect(await becomes(5_000, isKept)).to.equal(true);
    const { result, winner, candidates } = await explain<Explained>('request', rivalRequest);
    expect([result, winner]).to.deep.equal(['fill', rival.id]);
    const steps = new Map(candidates.map(({ campaign, lost_at: step }) => [campaign, step]));
    for (const [step, { id }] of Object.entries(probes)) expect(steps.get(id), step).to.equal(step);
  });

  it('of a campaign count each live request once, and their fills equal the report', async () => {
    const isCounted = async () => lostAt(await funnelOf(probes.language), 'language') === requests;
    expect(await becomes(5_000, isCounted)).to.equal(true);
    const { stdout } = await world.placard('report', '--by', 'campaign', '--format', 'json');
    const { rows } = JSON.parse(stdout) as {
      rows: { campaign: string; fills: number; impressions: number }[];
    };
    for (const campaign of [rival, ...Object.values(probes)]) {
      const funnel = await funnelOf(campaign);
      const row = rows.find((one) => one.campaign === campaign.id);
      expect(funnel.fills, campaign.id).to.equal(row?.fills ?? 0);
      expect(funnel.impressions, campaign.id).to.equal(row?.impressions ?? 0);
      const lost = funnel.steps.reduce((sum, one) => sum + one.lost, 0);
      expect(funnel.candidates, campaign.id).to.equal(lost + funnel.fills);
      expect(funnel.sampled, campaign.id).to.equal(1);
    }
  });

  it('of a campaign name the campaigns that outbid it', async () => {
    const funnel = await funnelOf(probes.outbid);
    expect(lostAt(funnel, 'outbid')).to.equal(fills);
    expect(funnel.outbid_by).to.deep.include({ campaign: rival.id, count: 1 });
    expect(funnel.outbid_by.reduce((sum, { count }) => sum + count, 0)).to.equal(fills);
  });

  it('of a tried request name the winner, or the app that is switched off or not approved', async () => {
    const tryAt = ({ id }: { readonly id: string }) =>
      explain<Explained>('try', '--app', id, '--placement', 'home_banner', '--language', 'de');
    const tried = await tryAt(app);
    // A fresh session has no cap, and the plan may have moved on.
    expect([probes.cap.id, probes.pacing.id]).to.include(tried.winner);
    expect((await tryAt(offApp)).result).to.equal('serving_disabled');
    expect((await tryAt(unapprovedApp)).result).to.equal('app_not_approved');
  });
});
