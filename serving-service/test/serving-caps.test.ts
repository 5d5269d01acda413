import { expect } from 'chai';
import { asCampaignId } from '@placard/service-kit/pure';
import { FillFate, NoFillReason } from '@placard/protos/serving/v1/serving.js';
import { count, fillOutcome, outcomeOf } from './support/outcomes.js';
import { fillOf, openRunning, type Running, type RunningOptions } from './support/running.js';
import { aCampaign, AD_TTL_MS, aPlacement } from './support/world.js';

const COST = 2_500_000n;
const NO_ELIGIBLE = String(NoFillReason.NO_ELIGIBLE_CAMPAIGN);
const CAPPED = String(NoFillReason.FREQUENCY_CAPPED);

describe('frequency caps of serving-service', () => {
  let running: Running | null = null;

  async function open(options: RunningOptions = {}): Promise<Running> {
    running = await openRunning(options);
    return running;
  }

  afterEach(async () => {
    await running?.close();
    running = null;
  });

  it('accept exactly 3 of 20 parallel requests of one session on two replicas', async () => {
    const placements = [aPlacement({ frequencyCap: { count: 3, period: 'session' } })];
    const { ask, sessionToken } = await open({ catalog: { placements }, replicas: 2 });
    for (let session = 0; session < 10; session += 1) {
      const token = sessionToken();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => ask({ sessionToken: token }, n % 2)),
      );
      expect(count(answers, 'fill')).to.equal(3);
      expect(count(answers, CAPPED)).to.equal(17);
    }
  });

  it('return the money of requests that are refused by a full cap', async () => {
    const placements = [aPlacement({ frequencyCap: { count: 1, period: 'session' } })];
    const { ask, sessionToken, spend, close } = await open({ catalog: { placements } });
    const token = sessionToken();
    await Promise.all(Array.from({ length: 10 }, () => ask({ sessionToken: token })));
    running = null;
    await close();
    expect(spend.bank.used()).to.equal(COST);
  });

  it('of a campaign lead to the next bid', async () => {
    const first = aCampaign({
      id: asCampaignId('cmp_a'),
      costNanos: 2n * COST,
      frequencyCap: { count: 2, period: 'day' },
    });
    const second = aCampaign({ id: asCampaignId('cmp_b') });
    const { ask, sessionToken } = await open({ catalog: { campaigns: [second, first] } });
    const token = sessionToken();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ sessionToken: token })));
    const ids = answers.map((one) => fillOf(one).campaignId).sort();
    expect(ids.filter((id) => id === 'cmp_a')).to.have.length(2);
    expect(ids.filter((id) => id === 'cmp_b')).to.have.length(6);
  });

  it('count fills that can still be shown, and shown fills for their period, but no suspicious fills', async () => {
    const placements = [aPlacement({ frequencyCap: { count: 2, period: 'hour' } })];
    const opened = await open({ catalog: { placements } });
    const { ask, sessionToken, replicas, clock } = opened;
    const token = sessionToken({ expiresAtMs: clock.now() + 10 * 3_600_000 });
    const shown = fillOutcome(opened, await ask({ sessionToken: token }), FillFate.SHOWN);
    const bad = fillOutcome(opened, await ask({ sessionToken: token }), FillFate.SUSPICIOUS);
    expect(outcomeOf(await ask({ sessionToken: token }))).to.equal(CAPPED);
    // An outcome of a newer release is skipped. Contract: docs/contract/newer-values.md#between-services.
    const newer = { ...bad, fate: 999 as FillFate };
    await replicas[0]!.commitReservations({ outcomes: [newer] });
    expect(outcomeOf(await ask({ sessionToken: token }))).to.equal(CAPPED);
    await replicas[0]!.commitReservations({ outcomes: [shown, bad] });
    expect(outcomeOf(await ask({ sessionToken: token }))).to.equal('fill');
    expect(outcomeOf(await ask({ sessionToken: token }))).to.equal(CAPPED);
    clock.advance(AD_TTL_MS);
    expect(outcomeOf(await ask({ sessionToken: token })), 'an unshown fill has expired').to.equal('fill');
    expect(outcomeOf(await ask({ sessionToken: token }))).to.equal(CAPPED);
    clock.advance(AD_TTL_MS);
    const answers = [await ask({ sessionToken: token }), await ask({ sessionToken: token })];
    expect(count(answers, 'fill'), 'the shown fill has left the rolling hour').to.equal(2);
  });

  it('count test ads too', async () => {
    const placements = [aPlacement({ frequencyCap: { count: 1, period: 'session' } })];
    const { ask, sessionToken } = await open({ catalog: { placements } });
    const sessionTokenOfTest = sessionToken({ isTest: true });
    expect(outcomeOf(await ask({ sessionToken: sessionTokenOfTest }))).to.equal('fill');
    expect(outcomeOf(await ask({ sessionToken: sessionTokenOfTest }))).to.equal(CAPPED);
  });

  it('limit a session to 30 open live fills, and do not limit test ads', async () => {
    const opened = await open();
    const { ask, sessionToken, replicas, clock } = opened;
    const token = sessionToken();
    const askLive = () => ask({ sessionToken: token });
    const answers = await Promise.all(Array.from({ length: 40 }, askLive));
    expect(count(answers, 'fill')).to.equal(30);
    expect(count(answers, NO_ELIGIBLE)).to.equal(10);
    expect(outcomeOf(await ask({ sessionToken: token, testMode: true }))).to.equal('fill');
    expect(outcomeOf(await ask()), 'another session').to.equal('fill');
    const [first, second] = answers.filter((one) => outcomeOf(one) === 'fill');
    const outcomes = [
      fillOutcome(opened, first!, FillFate.SHOWN),
      fillOutcome(opened, second!, FillFate.SUSPICIOUS),
    ];
    await replicas[0]!.commitReservations({ outcomes });
    expect([outcomeOf(await askLive()), outcomeOf(await askLive()), outcomeOf(await askLive())]).to.eql([
      ...['fill', 'fill', NO_ELIGIBLE],
    ]);
    clock.advance(AD_TTL_MS);
    expect(outcomeOf(await askLive())).to.equal('fill');
  });

  it('give every key a lifetime', async () => {
    const placements = [aPlacement({ frequencyCap: { count: 5, period: 'day' } })];
    const { ask, redis } = await open({ catalog: { placements } });
    for (let turn = 0; turn < 5; turn += 1) await ask();
    const keys = await redis.keys('{ses:*');
    expect(keys, 'caps and open fills of each session').to.have.length(10);
    for (const key of keys) expect(await redis.pttl(key)).to.be.within(1, 86_400_000);
  });
});
