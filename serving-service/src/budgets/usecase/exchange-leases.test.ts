import { expect } from 'chai';
import { makeTestClock, type TestClock } from '@placard/service-kit/testing';
import { asCampaignId, MINUTE_MS, minuteOf, SECOND_MS, type Campaign } from '@placard/service-kit/pure';
import { makePurse, exchangeWith, type Purse, type PurseOptions } from '../../../test/support/exchanger.js';
import { LeaseBank } from '../../../test/support/lease-bank.js';
import { aCampaign, aCatalog, deltaOf, NOON } from '../../../test/support/world.js';
import type { LeaseRequest, SpendClient } from '../../clients/spend-client.js';
import { CampaignIndex } from '../../selection/domain/campaign-index.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { FIRST_ADS } from '../domain/wallet.js';
import { ANSWER_MS_MAX, FAILURE_MS, LAST_TRIES } from './exchange-leases.js';
import { followCatalog } from '../../usecase/follow-catalog.js';
import type { AskOutcome } from './open-want.js';

const ID = asCampaignId('cmp_spring');
const COST = 2_500_000n;

/** Every wait ends at once, except a request's wait for its answer. */
const notForAnswers = (ms: number): Promise<void> =>
  ms === ANSWER_MS_MAX ? new Promise(() => undefined) : Promise.resolve();
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the exchange of budget leases', () => {
  let clock: TestClock;
  let bank: LeaseBank;
  let index: CampaignIndex;
  let purse: Purse;

  function open(campaigns: readonly Campaign[], options: PurseOptions = {}): void {
    clock = makeTestClock(NOON);
    bank = new LeaseBank(() => clock.now());
    index = CampaignIndex.of(aCatalog({ campaigns }));
    purse = makePurse({ bank, index, clock }, options);
  }

  function edit(campaign: Campaign): void {
    const catalog = aCatalog({ campaigns: [campaign] });
    followCatalog({ index, clock, ...purse }, catalog, deltaOf([campaign.id]));
  }

  const entryOf = (id = ID): IndexedCampaign => index.get(id) as IndexedCampaign;
  const ask = (entry = entryOf(), next: readonly IndexedCampaign[] = []): Promise<AskOutcome> =>
    purse.exchanger.ask({ entry, minute: minuteOf(clock.now()), deadlineAt: Infinity, next, isLast: false });
  const take = (minute = minuteOf(clock.now())): boolean =>
    purse.wallet.take(ID, minute, COST, clock.now()) !== null;

  /** Asks until there is money, or until the answer is no, as a request does. */
  async function fill(): Promise<boolean> {
    for (;;) {
      if (take()) return true;
      if (purse.headroom.isSkipped(entryOf()) || (await ask()) !== 'granted') return false;
    }
  }

  /** A peer whose connection can lose or delay requests and answers. */
  function lossy() {
    const peer = {
      isRequestLost: false,
      isAnswerLost: false,
      held: null as Promise<void> | null,
      underway: 0,
      most: 0,
    };
    const exchange: SpendClient['exchange'] = async (request: LeaseRequest) => {
      peer.underway += 1;
      peer.most = Math.max(peer.most, peer.underway);
      try {
        if (peer.isRequestLost) throw new Error('lost');
        const answers = await exchangeWith(bank)(request);
        await peer.held;
        if (peer.isAnswerLost) throw new Error('lost');
        return answers;
      } finally {
        peer.underway -= 1;
      }
    };
    return { peer, exchange };
  }

  describe('for requests', () => {
    it('gives 50 requests exactly as many ads as there is headroom for, with a few exchanges', async () => {
      open([aCampaign({ budgetTotalNanos: 17n * COST })]);
      const fills = await Promise.all(Array.from({ length: 50 }, fill));
      expect(fills.filter(Boolean)).to.have.length(17);
      expect(bank.requests.length).to.be.below(5);
    });

    it('sends one want for all requests that ask at the same time, and all campaigns in one message', async () => {
      const ids = ['cmp_a', 'cmp_b', 'cmp_c'].map(asCampaignId);
      open(ids.map((id) => aCampaign({ id })));
      const entries = ids.map((id) => entryOf(id));
      const outcomes = await Promise.all([...entries, ...entries].map((entry) => ask(entry)));
      expect(new Set(outcomes)).to.eql(new Set(['granted']));
      expect(bank.requests.map(({ wants }) => wants.length)).to.eql([3]);
    });

    it('has one exchange in progress at a time, and its answer serves requests that ask meanwhile', async () => {
      const { peer, exchange } = lossy();
      open([aCampaign()], { exchange });
      let release: () => void = () => undefined;
      peer.held = new Promise((resolve) => (release = resolve));
      const first = ask();
      await nextTurn();
      const later = Array.from({ length: 5 }, () => ask());
      void purse.exchanger.tick();
      await nextTurn();
      release();
      expect(await Promise.all([first, ...later])).to.eql(Array.from({ length: 6 }, () => 'granted'));
      expect(peer.most).to.equal(1);
      expect(bank.requests).to.have.length(1);
    });

    it('asks for verdicts on the next campaigns, and skips those that get no money', async () => {
      const ids = Array.from({ length: 40 }, (_, n) => asCampaignId(`cmp_${n}`));
      open(ids.map((id) => aCampaign({ id, budgetTotalNanos: 1n })));
      const [first, ...next] = ids.map((id) => entryOf(id));
      expect(await ask(first, next)).to.equal('total');
      expect(purse.headroom.skippedCount).to.equal(40);
      expect(bank.leases.size).to.equal(0);
    });

    it('receives the anchor of a plan, and gets a grant for a plan with that anchor', async () => {
      open([aCampaign({ budgetDailyNanos: 1_000n * COST })]);
      expect(await ask()).to.equal('granted');
      const other = makePurse({ bank, index, clock }, { run: 'other' });
      const moneyRequest = {
        entry: entryOf(),
        minute: minuteOf(NOON),
        deadlineAt: Infinity,
        next: [],
        isLast: false,
      };
      expect(await other.exchanger.ask(moneyRequest)).to.equal('anchor');
      expect(other.headroom.pace.of(entryOf()).anchor?.atMs).to.equal(NOON);
      expect(await other.exchanger.ask(moneyRequest)).to.equal('granted');
    });

    it('lets a request go on when no answer comes in time, and keeps the money for the next one', async () => {
      const { peer, exchange } = lossy();
      open([aCampaign()], { exchange, wait: () => Promise.resolve() });
      let release: () => void = () => undefined;
      peer.held = new Promise((resolve) => (release = resolve));
      expect(await ask()).to.equal('late');
      release();
      await nextTurn();
      expect(take()).to.equal(true);
    });

    it('lets requests go on at once while an exchange is late', async () => {
      const { peer, exchange } = lossy();
      let nowMs = 0;
      const waits: number[] = [];
      const wait = (ms: number): Promise<void> => {
        waits.push(ms);
        return Promise.resolve();
      };
      open([aCampaign()], { exchange, wait, deadlineClock: { now: () => nowMs } });
      let release: () => void = () => undefined;
      peer.held = new Promise((resolve) => (release = resolve));
      expect(await ask()).to.equal('late');
      nowMs += ANSWER_MS_MAX;
      const before = waits.length;
      expect(await ask()).to.equal('late');
      expect(waits).to.have.length(before);
      release();
      await nextTurn();
      expect(take()).to.equal(true);
    });
  });

  describe('when events-service fails', () => {
    it('fails requests at once for half a second or until an answer, then tries skipped campaigns again', async () => {
      const { peer, exchange } = lossy();
      open([aCampaign()], { exchange });
      peer.isRequestLost = true;
      expect(await ask()).to.equal('unavailable');
      purse.headroom.skip(entryOf(), 'unknown', minuteOf(NOON));
      peer.isRequestLost = false;
      expect(await ask()).to.equal('unavailable');
      expect(bank.requests).to.eql([]);
      clock.advance(FAILURE_MS);
      expect(await ask()).to.equal('granted');
      expect(purse.headroom.skippedCount).to.equal(0);
    });

    it('lets one request try again, and the others go on at once', async () => {
      const { peer, exchange } = lossy();
      open([aCampaign()], { exchange });
      peer.isRequestLost = true;
      expect(await ask()).to.equal('unavailable');
      clock.advance(FAILURE_MS);
      peer.isRequestLost = false;
      let release: () => void = () => undefined;
      peer.held = new Promise((resolve) => (release = resolve));
      const trial = ask();
      expect(await ask()).to.equal('unavailable');
      release();
      expect(await trial).to.equal('granted');
      expect(peer.most).to.equal(1);
    });

    it('continues to try by itself', async () => {
      const { peer, exchange } = lossy();
      open([aCampaign()], { exchange });
      peer.isRequestLost = true;
      expect(await ask()).to.equal('unavailable');
      expect(await purse.exchanger.tick().catch(() => 'failed')).to.equal('failed');
      peer.isRequestLost = false;
      await purse.exchanger.tick();
      expect(take(), 'it repeats a want without an answer').to.equal(true);
    });

    it('receives the grant of a lost answer, without a second grant', async () => {
      const { peer, exchange } = lossy();
      open([aCampaign()], { exchange });
      peer.isAnswerLost = true;
      expect(await ask()).to.equal('unavailable');
      peer.isAnswerLost = false;
      await purse.exchanger.tick();
      expect(purse.wallet.leftNanos).to.equal(BigInt(FIRST_ADS) * COST);
      expect(bank.used()).to.equal(BigInt(FIRST_ADS) * COST);
    });

    it('returns the grant of a lost answer, even when the minute is over', async () => {
      const { peer, exchange } = lossy();
      open([aCampaign()], { exchange });
      peer.isAnswerLost = true;
      await ask();
      peer.isAnswerLost = false;
      clock.advance(MINUTE_MS + 5 * SECOND_MS);
      for (let turn = 0; turn < 3; turn += 1) await purse.exchanger.tick();
      expect(bank.used()).to.equal(0n);
    });
  });

  describe('in the background', () => {
    it('has the money of the next minute before it begins, even across midnight', async () => {
      const campaign = aCampaign({ budgetDailyNanos: 20n * COST });
      open([campaign]);
      clock.set(Date.UTC(2026, 4, 1, 23, 59, 57));
      purse.headroom.advanceTo(clock.now());
      for (let ad = 0; ad < 20; ad += 1) expect(await fill()).to.equal(true);
      expect(await fill()).to.equal(false);
      clock.advance(SECOND_MS);
      await purse.exchanger.tick();
      clock.advance(2 * SECOND_MS);
      expect(take()).to.equal(true);
    });

    it('reports fills once a second, and returns at once', async () => {
      open([aCampaign()]);
      await ask();
      take();
      await purse.exchanger.tick();
      const [lease] = bank.leases.values();
      expect(lease?.filled).to.equal(0n);
      clock.advance(SECOND_MS);
      await purse.exchanger.tick();
      expect(lease?.filled).to.equal(COST);
      edit(aCampaign({ budgetTotalNanos: 3n * COST }));
      await purse.exchanger.tick();
      expect(bank.used()).to.equal(COST);
    });

    it('sends nothing while there is nothing to report', async () => {
      open([aCampaign()]);
      for (let turn = 0; turn < 5; turn += 1) {
        await purse.exchanger.tick();
        clock.advance(SECOND_MS);
      }
      expect(bank.requests).to.eql([]);
    });

    it('peeks at skipped campaigns once a second and finds new headroom', async () => {
      open([aCampaign({ budgetTotalNanos: COST })]);
      expect([await fill(), await fill()]).to.eql([true, false]);
      for (const lease of bank.leases.values()) {
        bank.count(lease, COST, 'suspicious');
        bank.release(lease);
      }
      await purse.exchanger.tick();
      expect(purse.headroom.skippedCount).to.equal(0);
      expect(await fill()).to.equal(true);
    });

    it('returns scarce unused money within a second, so that another replica can sell it', async () => {
      open([aCampaign({ budgetTotalNanos: 6n * COST })]);
      const other = makePurse({ bank, index, clock }, { run: 'other' });
      const moneyRequest = {
        entry: entryOf(),
        minute: minuteOf(NOON),
        deadlineAt: Infinity,
        next: [],
        isLast: false,
      };
      await other.exchanger.ask({ ...moneyRequest });
      await ask();
      const before = bank.used();
      clock.advance(SECOND_MS);
      await purse.exchanger.tick();
      await other.exchanger.tick();
      expect(bank.used() < before).to.equal(true);
    });
  });

  const minutesOff = [
    ['back and forth', [-2 * MINUTE_MS - SECOND_MS, 2 * MINUTE_MS + SECOND_MS]],
    ['forth and back', [10 * MINUTE_MS, -10 * MINUTE_MS + SECOND_MS]],
  ] as const;
  for (const [way, jumps] of minutesOff) {
    it(`sells the money of a minute once, even when the clock jumps ${way}`, async () => {
      open([aCampaign()]);
      let sold = 0;
      const sellAll = async (): Promise<void> => {
        await ask();
        while (take()) sold += 1;
        await purse.exchanger.tick();
      };
      await sellAll();
      for (const ms of jumps) {
        clock.advance(ms);
        for (let turn = 0; turn < 3; turn += 1) {
          await purse.exchanger.tick();
          clock.advance(1);
        }
      }
      for (let turn = 0; turn < 3; turn += 1) await sellAll();
      clock.advance(2 * MINUTE_MS);
      for (let turn = 0; turn < 3; turn += 1) await purse.exchanger.tick();
      expect(BigInt(sold) * COST <= bank.used(), `${sold} sold`).to.equal(true);
    });
  }

  it('returns the grant of a lost answer when its limits changed meanwhile', async () => {
    const { peer, exchange } = lossy();
    open([aCampaign()], { exchange });
    let release: () => void = () => undefined;
    peer.held = new Promise((resolve) => (release = resolve));
    peer.isAnswerLost = true;
    const asked = ask();
    await nextTurn();
    edit(aCampaign({ budgetTotalNanos: COST }));
    release();
    expect(await asked).to.equal('unavailable');
    peer.isAnswerLost = false;
    for (let turn = 0; turn < 3; turn += 1) await purse.exchanger.tick();
    expect(bank.used()).to.equal(0n);
  });

  it('returns a grant at once when its limits have changed before it arrives', async () => {
    const { peer, exchange } = lossy();
    open([aCampaign({ budgetTotalNanos: 100n * COST })], { exchange });
    let release: () => void = () => undefined;
    peer.held = new Promise((resolve) => (release = resolve));
    const asked = ask();
    await nextTurn();
    edit(aCampaign({ budgetTotalNanos: COST }));
    peer.held = null;
    release();
    expect(await asked).to.equal('ended');
    expect(take()).to.equal(false);
    await purse.exchanger.tick();
    expect(bank.used()).to.equal(0n);
    expect([await fill(), await fill()]).to.eql([true, false]);
  });

  describe('at the end', () => {
    it('returns everything, even the grant of a lost answer, and asks for nothing more', async () => {
      const { peer, exchange } = lossy();
      open([aCampaign()], { exchange, wait: notForAnswers });
      await ask();
      for (let ad = 0; ad < FIRST_ADS; ad += 1) take();
      peer.isAnswerLost = true;
      await ask();
      peer.isAnswerLost = false;
      await purse.exchanger.close();
      expect(bank.used()).to.equal(BigInt(FIRST_ADS) * COST);
      for (const lease of bank.leases.values()) expect(lease.isEnded).to.equal(true);
      expect(await ask()).to.equal('unavailable');
    });

    it('tries a few times and reports an error when nothing could be returned', async () => {
      let tries = 0;
      const exchange: SpendClient['exchange'] = (request) => {
        tries += 1;
        return tries === 1 ? exchangeWith(bank)(request) : Promise.reject(new Error('down'));
      };
      open([aCampaign()], { exchange, wait: notForAnswers });
      await ask();
      expect(await purse.exchanger.close().catch((error: unknown) => String(error))).to.match(
        /not be returned/,
      );
      expect(tries).to.equal(1 + LAST_TRIES);
    });
  });
});
