import { until } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { asCampaignId, type Nanos } from '@placard/service-kit/pure';
import type { RequestAdResponse } from '@placard/protos/serving/v1/serving.js';
import { fillOf, openRunning, type Running, type RunningOptions } from './support/running.js';
import { outcomeOf } from './support/outcomes.js';
import { aCampaign, anAdvertiser } from './support/world.js';

const COST = 2_500_000n;
const CLIENTS = 50;
const REPLICAS = 3;
/** Within this time a change of the catalog is in force on every replica. */
const CHANGE_MS_MAX = 2_000;

/** Fifty clients in separate sessions. Each sends its next request once it has an answer, to all replicas in turn. */
class Crowd {
  readonly fills: { readonly campaignId: string; readonly atMs: number }[] = [];
  asked = 0;
  readonly #running: Running;
  #isOver = false;
  #clients: Promise<void>[] = [];

  constructor(running: Running) {
    this.#running = running;
  }

  start(): void {
    const tokens = Array.from({ length: CLIENTS }, () => this.#running.sessionToken());
    this.#clients = tokens.map((sessionToken, n) => this.#client(sessionToken, n));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  /** Waits until every client has sent this number of further requests. */
  async rounds(times: number): Promise<void> {
    const end = this.asked + times * CLIENTS;
    await until(() => this.asked >= end, 30_000);
  }

  async #client(sessionToken: string, n: number): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      this.#note(await this.#running.ask({ sessionToken }, (n + turn) % REPLICAS));
    }
  }

  #note(answer: RequestAdResponse): void {
    this.asked += 1;
    if (outcomeOf(answer) !== 'fill') return;
    this.fills.push({ campaignId: fillOf(answer).campaignId, atMs: performance.now() });
  }
}

describe('serving-service under 50 clients on three replicas', () => {
  let running: Running | null = null;
  let crowd: Crowd;

  async function open(catalog: RunningOptions['catalog'] = {}): Promise<Running> {
    running = await openRunning({ catalog, replicas: REPLICAS });
    crowd = new Crowd(running);
    crowd.start();
    return running;
  }
  afterEach(async () => {
    await crowd.stop();
    await running?.close();
    running = null;
  });

  it('fills exactly as many impressions as a campaign has headroom for', async () => {
    await open({ campaigns: [aCampaign({ budgetTotalNanos: 321n * COST + COST - 1n })] });
    await until(() => crowd.fills.length >= 321, 20_000);
    await crowd.rounds(10);
    expect(crowd.fills).to.have.length(321);
  }).timeout(60_000);

  it('never lets five campaigns of one advertiser exceed its balance, and leaves no headroom for another', async () => {
    const costs = new Map<string, Nanos>();
    const campaigns = [0n, 0n, 0n, 300_000n, 700_001n].map((less, n) => {
      const id = asCampaignId(`cmp_${n}`);
      costs.set(id, COST - less);
      return aCampaign({ id, costNanos: COST - less, budgetTotalNanos: 90n * COST });
    });
    const funded = 300n * COST + 1n;
    const { spend } = await open({ advertisers: [anAdvertiser({ fundedNanos: funded })], campaigns });
    const spent = (): Nanos =>
      crowd.fills.reduce((sum, { campaignId }) => sum + (costs.get(campaignId) ?? 0n), 0n);
    await until(() => {
      expect(spend.bank.used() <= funded).to.equal(true);
      return funded - spent() < COST - 700_001n;
    }, 30_000);
    await crowd.rounds(5);
    expect(spent() <= funded).to.equal(true);
    expect(spend.bank.used() <= funded).to.equal(true);
    const ofFirst = crowd.fills.filter(({ campaignId }) => campaignId === 'cmp_0').length;
    expect(ofFirst <= 90).to.equal(true);
  }).timeout(90_000);

  it('acts on a top-up and on a cut in the middle within 2 seconds', async () => {
    const campaign = aCampaign({ budgetTotalNanos: 100_000n * COST });
    const advertiser = anAdvertiser({ fundedNanos: 100n * COST });
    const { change } = await open({ advertisers: [advertiser], campaigns: [campaign] });
    await until(() => crowd.fills.length === 100, 20_000);
    await crowd.rounds(3);
    const toppedUpAt = performance.now();
    await change({ advertisers: [{ ...advertiser, fundedNanos: 100_000n * COST }] });
    await until(() => crowd.fills.length > 100, CHANGE_MS_MAX);
    expect(crowd.fills[100]!.atMs - toppedUpAt).to.be.below(CHANGE_MS_MAX);
    await until(() => crowd.fills.length > 300, 20_000);
    const cutAt = performance.now();
    await change({ campaigns: [{ ...campaign, budgetTotalNanos: 200n * COST }] });
    await until(() => performance.now() > cutAt + CHANGE_MS_MAX);
    const atTwoSeconds = crowd.fills.length;
    await crowd.rounds(5);
    expect(crowd.fills).to.have.length(atTwoSeconds);
    expect(crowd.fills.filter(({ atMs }) => atMs > cutAt + CHANGE_MS_MAX)).to.eql([]);
    expect(crowd.fills.length).to.be.below(100_000);
  }).timeout(60_000);
});
