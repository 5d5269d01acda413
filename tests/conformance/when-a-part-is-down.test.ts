import { expect } from 'chai';
import {
  expectAccepted,
  expectError,
  expectNoFill,
  expectRejected,
  expectRewarded,
} from '../driver/expect.js';
import type { Answer } from '../driver/http.js';
import { becomes, pass, waitForRoomInMinute } from '../driver/phone.js';
import { CODE_OF } from '../driver/catalog.js';
import type { Phone } from '../driver/phone.js';
import { World } from '../driver/world.js';

const ANSWER_MS_MAX = 5_000;
const RECOVERY_MS_MAX = 15_000;

const world = new World('faults');
const { app, campaign } = world.pair();

async function expectServerErrors(...asked: readonly Promise<Answer>[]): Promise<void> {
  for (const answer of await Promise.all(asked)) {
    expectError(answer, 500, 'server_error');
    expect(answer.tookMs).to.be.below(ANSWER_MS_MAX);
  }
}

/** Waits until a whole life of an ad works again and the ledger answers. */
async function expectRecovery(): Promise<void> {
  const isBack = await becomes(RECOVERY_MS_MAX, async () => {
    const begun = await world.initialize(app);
    if (begun.status !== 200) return false;
    const phone = await world.phone(app);
    const answer = await phone.request('banner');
    if (answer.body.status !== 'fill') return false;
    const { request_id, ad } = answer.body;
    const fill = { requestId: request_id, token: ad.impression_token, ad };
    const fallback = await phone.fallback('home_banner');
    return (await phone.impression(fill)).status === 200 && fallback.status === 200;
  });
  expect(isBack, `all works again within ${RECOVERY_MS_MAX} ms`).to.equal(true);
  const isAnswered = async (): Promise<boolean> => (await world.placard('ledger', 'balances')).status === 0;
  expect(await becomes(RECOVERY_MS_MAX, isAnswered), 'operators are answered again').to.equal(true);
}

/** Requests while no money can be granted: more than a replica has in hand for a campaign with new traffic. */
const ADS_MAX = 60;
/** Money in hand pays for the fills of one minute. A test that uses it up must end before the next minute. */
const IN_HAND_MS = 10_000;

/** Requests ads until there is none. The fills before must be paid from money in hand. */
async function expectAdsInHand(phone: Phone): Promise<void> {
  expect(await phone.outcome('banner')).to.equal(campaign.id);
  for (let asked = 0; asked < ADS_MAX; asked += 1) {
    const outcome = await phone.outcome('banner');
    if (outcome === 'no_eligible_campaign') return;
    expect(outcome).to.equal(campaign.id);
  }
  throw new Error(`${ADS_MAX} ads were given without money`);
}

/** An accepted impression a good second ago and another fill, both rewarded. */
async function prepared(): Promise<{
  phone: Phone;
  shown: Awaited<ReturnType<Phone['fill']>>;
  open: Awaited<ReturnType<Phone['fill']>>;
}> {
  const phone = await world.phone(app);
  const shown = await phone.fill('rewarded');
  const open = await phone.fill('rewarded');
  expectAccepted(await phone.impression(shown));
  await pass(1_050);
  return { phone, shown, open };
}

describe('while Redis is down', () => {
  world.use();

  it('ad requests get no-fills, test ads and fallbacks work, events answer 500 and are accepted when retried', async () => {
    const { phone, shown, open } = await prepared();
    world.running.redis!.set({ kind: 'reset' });
    try {
      expect((await world.initialize(app)).status).to.equal(200);
      expectNoFill(await phone.request('banner'), 'no_eligible_campaign');
      expect((await phone.request('banner', { test_mode: true })).body.ad.test).to.equal(true);
      expectAccepted(await phone.fallback('home_banner'));
      await expectServerErrors(phone.impression(open), phone.click(shown), phone.reward(shown, true));
    } finally {
      world.running.redis!.set({ kind: 'none' });
    }
    await expectRecovery();
    expectAccepted(await phone.impression(open));
    expectAccepted(await phone.click(shown));
    expectRewarded(await phone.reward(shown, true), true);
  }).timeout(60_000);
});

describe('while Postgres is down', () => {
  world.use();

  it('sessions work, ads are filled from money in hand, all four events answer 500 and are accepted when retried', async () => {
    await waitForRoomInMinute(IN_HAND_MS);
    const { phone, shown, open } = await prepared();
    world.running.postgres!.set({ kind: 'reset' });
    try {
      expect((await world.initialize(app)).status).to.equal(200);
      await expectAdsInHand(phone);
      await expectServerErrors(
        phone.impression(open),
        phone.click(shown),
        phone.reward(shown, true),
        phone.fallback('home_banner'),
      );
    } finally {
      world.running.postgres!.set({ kind: 'none' });
    }
    await expectRecovery();
    expectAccepted(await phone.impression(open));
    expectAccepted(await phone.click(shown));
    expectRewarded(await phone.reward(shown, true), true);
    expectAccepted(await phone.fallback('home_banner'));
    // This includes the events that were sent while Redis was down.
    await world.settle();
  }).timeout(60_000);
});

/** Runs `check` while the process is stopped, starts it, and waits until everything works again. */
async function without(name: string, check: () => Promise<void>): Promise<void> {
  await world.running.kill(name);
  try {
    await check();
  } finally {
    await world.running.restart(name);
    await expectRecovery();
  }
}

/** Runs `check` while the process hangs. */
async function whileStopped(name: string, check: () => Promise<void>): Promise<void> {
  const pid = world.running.pids[name];
  if (pid === undefined) throw new Error(`no process ${name}`);
  process.kill(pid, 'SIGSTOP');
  try {
    await check();
  } finally {
    process.kill(pid, 'SIGCONT');
    await expectRecovery();
  }
}

for (const [how, during] of [
  ['is gone', without],
  ['hangs', whileStopped],
] as const) {
  describe(`while one process ${how}`, () => {
    world.use();

    it('session-service: initialize answers 500, everything else works', async () => {
      const { phone, shown, open } = await prepared();
      await during('session-service', async () => {
        await expectServerErrors(world.initialize(app));
        expect((await phone.request('banner')).body.status).to.equal('fill');
        expectAccepted(await phone.impression(open));
        expectAccepted(await phone.click(shown));
        expectAccepted(await phone.fallback('home_banner'));
      });
    }).timeout(60_000);

    it('serving-service: ad requests answer 500, everything else works', async () => {
      const { phone, shown, open } = await prepared();
      await during('serving-service', async () => {
        await expectServerErrors(phone.request('banner'));
        expect((await world.initialize(app)).status).to.equal(200);
        expectAccepted(await phone.impression(open));
        expectAccepted(await phone.click(shown));
        expectAccepted(await phone.fallback('home_banner'));
      });
    }).timeout(60_000);

    it('events-service: events answer 500 and are accepted when retried, ads are filled from money in hand, sessions work', async () => {
      await waitForRoomInMinute(IN_HAND_MS);
      const { phone, shown, open } = await prepared();
      await during('events-service', async () => {
        await expectServerErrors(phone.impression(open), phone.fallback('home_banner'));
        expect((await world.initialize(app)).status).to.equal(200);
        await expectAdsInHand(phone);
      });
      const retried = await phone.impression(open);
      // A hanging process may have accepted the first attempt after it continued.
      if (retried.status !== 409) expectAccepted(retried);
      expectAccepted(await phone.click(shown));
    }).timeout(60_000);

    it('fraud-service: events that need its verdict answer 500, other events and ad requests work', async () => {
      const { phone, shown, open } = await prepared();
      await during('fraud-service', async () => {
        await expectServerErrors(phone.impression(open), phone.click(shown), phone.reward(shown, true));
        expectRejected(await phone.impression(shown), 'duplicate');
        expectRejected(await phone.click(open), 'no_impression');
        expectRejected(await phone.event('click', shown, { impression_token: 'x' }), 'invalid_token');
        expectRejected(await phone.event('click', shown, { request_id: 'req_x' }), 'request_mismatch');
        expectRejected(await phone.reward(open, true), 'no_impression');
        expectAccepted(await phone.fallback('home_banner'));
        expect((await phone.request('banner')).body.status).to.equal('fill');
        expect((await world.initialize(app)).status).to.equal(200);
      });
      expectAccepted(await phone.impression(open));
      expectAccepted(await phone.click(shown));
      expectRewarded(await phone.reward(shown, true), true);
    }).timeout(60_000);

    it('console-service: the whole SDK API works', async () => {
      const { phone, shown, open } = await prepared();
      await during('console-service', async () => {
        expect((await world.initialize(app)).status).to.equal(200);
        expect((await phone.request('banner')).body.status).to.equal('fill');
        expectAccepted(await phone.impression(open));
        expectAccepted(await phone.click(shown));
        expectRewarded(await phone.reward(shown, false), false);
        expectAccepted(await phone.fallback('home_banner'));
      });
    }).timeout(60_000);

    it('the settlement worker: settlement waits and catches up, nothing is lost or doubled', async () => {
      const own = world.running;
      const phone = await world.phone(app);
      const fills = await phone.fills(10, 'banner');
      await during(workerOf(own.pids), async () => {
        for (const fill of fills) expectAccepted(await phone.impression(fill));
      });
      for (const fill of fills) expectRejected(await phone.impression(fill), 'duplicate');
      // This includes everything that the suite did.
      await world.settle();
    }).timeout(90_000);
  });
}

/** How long a phone waits for an ad by default, and an answer that costs it none of this time. */
const [PHONE_MS, AT_ONCE_MS_MAX] = [1_000, 500];

/** Requests an ad, and leaves without one as the client SDK does. True: the phone was answered. */
async function isAnsweredInTime(phone: Phone): Promise<boolean> {
  const fields = {
    app_key: app.app_key,
    placement: CODE_OF.banner,
    format: 'banner',
    session_token: phone.token,
  };
  const request = {
    method: 'POST',
    headers: { ...phone.headers, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
    signal: AbortSignal.timeout(PHONE_MS),
  };
  return fetch(`${world.url}/v1/ads/request`, request).then(
    () => true,
    () => false,
  );
}

describe('while serving-service hangs and phones leave after a second', () => {
  world.use();

  it('the first phones wait in vain, and the next ones get 500 at once', async () => {
    const phone = await world.phone(app);
    await whileStopped('serving-service', async () => {
      const first = await Promise.all([isAnsweredInTime(phone), isAnsweredInTime(phone)]);
      expect(first).to.deep.equal([false, false]);
      const next = await phone.request('banner');
      expectError(next, 500, 'server_error');
      expect(next.tookMs).to.be.below(AT_ONCE_MS_MAX);
    });
  }).timeout(60_000);
});

/** The name of the settlement worker's process. */
function workerOf(pids: Readonly<Record<string, number>>): string {
  const name = Object.keys(pids).find((candidate) => candidate.includes('worker'));
  if (name === undefined) throw new Error(`no worker among ${Object.keys(pids).join(', ')}`);
  return name;
}
