import { expect } from 'chai';
import { FORMATS } from '../driver/catalog.js';
import type { AppEntry } from '../driver/catalog.js';
import { respellings } from '../driver/bad-tokens.js';
import { expectAccepted, expectError, expectNoFill, expectRewarded } from '../driver/expect.js';
import { becomes, pass } from '../driver/phone.js';
import type { Phone } from '../driver/phone.js';
import { SHORT } from '../driver/product.js';
import { CHANGE_MS_MAX, World } from '../driver/world.js';

const world = new World('plain');

describe('session tokens', () => {
  world.use();

  const { app } = world.pair();
  const twin = world.app({}, world.publisher());

  it('are not accepted for another app, nor in any other spelling', async () => {
    const phone = await world.phone(app);
    const stranger = await world.phone(twin);
    expectError(await phone.request('banner', { session_token: stranger.token }), 401, 'invalid_session');
    for (const [name, session_token] of respellings(phone.token)) {
      const answer = await phone.request('banner', { session_token });
      expect(answer.body.error?.code, `${name}: ${answer.text}`).to.equal('invalid_session');
      const fallback = await phone.fallback('home_banner', 'error', { session_token });
      expect(fallback.body.error?.code, `${name}: ${fallback.text}`).to.equal('invalid_session');
    }
  });

  it('are not accepted as impression tokens, nor the reverse', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    expectError(await phone.request('banner', { session_token: fill.token }), 401, 'invalid_session');
    expectError(
      await phone.fallback('home_banner', 'error', { session_token: fill.token }),
      401,
      'invalid_session',
    );
  });

  it('serve many ad requests, of all formats', async () => {
    const phone = await world.phone(app);
    for (const format of FORMATS) await phone.fills(3, format);
  });
});

const short = new World('short');
const brief = short.pair();
const doomed = short.pair();
const moving = short.pair();

const expired = short.beside(async (): Promise<Phone> => {
  const phone = await short.phone(brief.app);
  const expiresAt = Date.parse(phone.session.session_expires_at);
  expect(expiresAt).to.be.within(Date.now(), Date.now() + SHORT.sessionSeconds * 1_000);
  await phone.fill('banner');
  await pass(expiresAt + 50 - Date.now());
  return phone;
});

describe('an expired session', () => {
  short.use();

  it('answers 401 session_expired, and a new initialize works', async () => {
    const phone = await expired();
    expectError(await phone.request('banner'), 401, 'session_expired');
    expectError(await phone.request('banner', { app_key: 'app_unknown' }), 401, 'session_expired');
    expectError(await phone.fallback('home_banner'), 401, 'session_expired');
    expectError(await phone.fallback('nowhere'), 401, 'session_expired');
    await (await short.phone(brief.app)).fill('banner');
  });
});

describe('changes during a session', () => {
  short.use();

  it('a changed package answers 403 package_mismatch to ad requests', async () => {
    const phone = await short.phone(moving.app);
    moving.app.package_name += '.renamed';
    await short.apply();
    expectError(await phone.request('banner'), 403, 'package_mismatch');
    await (await short.phone(moving.app)).fill('banner');
  });

  it('a deleted app answers 401 invalid_app_key, and its filled ads are judged by their tokens', async () => {
    const phone = await short.phone(doomed.app);
    const fill = await phone.fill('rewarded');
    expectAccepted(await phone.impression(fill));
    const publishers = short.publishersWithout(doomed.app);
    const result = await short.applyFile({ publishers }, ['--prune', '--yes']);
    expect(result.status, result.stderr).to.equal(0);
    const isGone = await becomes(CHANGE_MS_MAX, async () => (await phone.request('banner')).status === 401);
    expect(isGone).to.equal(true);
    expectError(await phone.request('banner'), 401, 'invalid_app_key');
    expect(
      await becomes(CHANGE_MS_MAX, async () => (await phone.fallback('home_banner')).status === 401),
    ).to.equal(true);
    expectError(await phone.fallback('home_banner'), 401, 'invalid_app_key');
    expectError(await phone.fallback('nowhere'), 401, 'invalid_app_key');
    expectError(await short.initialize(doomed.app), 401, 'invalid_app_key');
    expectRewarded(await phone.reward(fill, true), true);
  });

  it('the global switch stops every app, in test mode too, and the placements keep their flag', async () => {
    const phone = await short.phone(brief.app);
    try {
      await short.apply({ global: { serving_enabled: false } });
      const begun = await short.initialize(brief.app);
      expect(begun.body.config.serving_enabled).to.equal(false);
      expect(begun.body.placements.map((placement) => placement.service_enabled)).to.deep.equal([
        true,
        true,
        true,
      ]);
      expectNoFill(await phone.request('banner'), 'serving_disabled');
      expectNoFill(await phone.request('banner', { test_mode: true }), 'serving_disabled');
    } finally {
      await short.apply({ global: { serving_enabled: true } });
    }
    await (await short.phone(brief.app)).fill('banner');
  });
});

interface SwitchCase {
  readonly name: string;
  readonly app: AppEntry;
  readonly isServing: boolean;
  readonly reason: string | null;
  readonly service: readonly boolean[];
}

describe('switches', () => {
  world.use();

  const off = { ...world.pair({}, { serving_enabled: false }) };
  const blocked = world.pair({}, { blocked: true });
  const offPublisher = world.app({}, world.publisher({ serving_enabled: false }));
  world.campaign({ apps: [offPublisher] });
  const all = [true, true, true];
  const cases: readonly SwitchCase[] = [
    {
      name: 'the switch of the app',
      app: off.app,
      isServing: false,
      reason: 'serving_disabled',
      service: all,
    },
    {
      name: 'the switch of the publisher',
      app: offPublisher,
      isServing: false,
      reason: 'serving_disabled',
      service: all,
    },
    {
      name: 'the block by an admin',
      app: blocked.app,
      isServing: false,
      reason: 'serving_disabled',
      service: [false, false, false],
    },
  ];
  for (const { name, app, isServing, reason, service } of cases) {
    for (const test_mode of [false, true]) {
      it(`${name} stops the whole app ${test_mode ? 'in a test session' : 'live'}`, async () => {
        const phone = await world.phone(app, { test_mode });
        expect(phone.session.config.serving_enabled).to.equal(isServing);
        expect(phone.session.placements.map((placement) => placement.service_enabled)).to.deep.equal(service);
        for (const format of FORMATS) expectNoFill(await phone.request(format), reason!);
      });
    }
  }

  const doubtful = world.app({}, world.publisher({ approved: false }));
  world.campaign({ apps: [doubtful] });
  it('a publisher that is not approved gets serving off from initialize and serving_disabled for ad requests', async () => {
    const phone = await world.phone(doubtful);
    expect(phone.session.config.serving_enabled).to.equal(false);
    expect(phone.session.placements.map((placement) => placement.service_enabled)).to.deep.equal(all);
    expectNoFill(await phone.request('banner'), 'serving_disabled');
  });

  it('a publisher that is not approved is served test ads', async () => {
    const phone = await world.phone(doubtful, { test_mode: true });
    expect(phone.session.config.serving_enabled).to.equal(true);
    expect((await phone.fill('banner')).ad.test).to.equal(true);
  });
});

describe('placement states', () => {
  world.use();

  const states = [{ paused: true }, { enabled: false }, { disabled_by_admin: true }];
  const placements = states.map((state, index) => ({
    code: `state_${index}`,
    format: 'banner',
    fallback_provider: index === 1 ? 'none' : 'partner',
    ...state,
  }));
  const mixed = world.pair({}, { placements: [...placements, { code: 'home_banner', format: 'banner' }] });
  const dark = world.pair({}, { serving_enabled: false, placements });

  for (const [index, state] of states.entries()) {
    it(`${JSON.stringify(state)} answers placement_disabled, in test mode too, and does not affect other placements`, async () => {
      for (const test_mode of [false, true]) {
        const phone = await world.phone(mixed.app, { test_mode });
        const flags = Object.fromEntries(
          phone.session.placements.map((one) => [one.code, one.service_enabled]),
        );
        expect(flags).to.deep.equal({ state_0: false, state_1: false, state_2: false, home_banner: true });
        expect(phone.session.config.serving_enabled).to.equal(true);
        const answer = await phone.request('banner', { placement: `state_${index}` });
        expectNoFill(answer, 'placement_disabled', index === 1 ? 'none' : 'partner');
        await phone.fill('banner');
      }
    });
  }

  it('give way to a switch of the whole app', async () => {
    const phone = await world.phone(dark.app);
    for (const [index] of states.entries()) {
      const answer = await phone.request('banner', { placement: `state_${index}` });
      expectNoFill(answer, 'serving_disabled', index === 1 ? 'none' : 'partner');
    }
  });
});

describe('changes in the catalog', () => {
  world.use();

  const changing = world.pair();
  const leaving = world.pair();
  const shown = world.pair();

  async function within(phone: Phone, expected: string): Promise<void> {
    const isSo = await becomes(CHANGE_MS_MAX, async () => (await phone.outcome('banner')) === expected);
    expect(isSo, `${expected} within ${CHANGE_MS_MAX} ms`).to.equal(true);
  }

  it('reach the next ad request within 2 seconds, off and on again', async () => {
    const phone = await world.phone(changing.app);
    await within(phone, changing.campaign.id);
    changing.campaign.status = 'paused';
    expect((await world.applyFile(world.file())).status).to.equal(0);
    await within(await world.phone(changing.app), 'no_eligible_campaign');
    changing.campaign.status = 'active';
    expect((await world.applyFile(world.file())).status).to.equal(0);
    await within(await world.phone(changing.app), changing.campaign.id);
  });

  it('withdraw the approval during a live session: 403 app_not_approved, while test mode works', async () => {
    const phone = await world.phone(leaving.app);
    leaving.app.approved = false;
    await world.apply();
    expectError(await phone.request('banner'), 403, 'app_not_approved');
    expectError(await world.initialize(leaving.app), 403, 'app_not_approved');
    const tester = await world.phone(leaving.app, { test_mode: true });
    expect((await tester.fill('banner')).ad.test).to.equal(true);
  });

  it('do not affect ads that were filled before: events are judged by their token', async () => {
    const phone = await world.phone(shown.app);
    const fill = await phone.fill('rewarded');
    shown.campaign.status = 'ended';
    shown.app.approved = false;
    shown.app.placements.forEach((placement) => (placement.paused = true));
    await world.apply();
    expectAccepted(await phone.impression(fill));
    expectRewarded(await phone.reward(fill, true), true);
    await pass(1_050);
    expectAccepted(await phone.click(fill));
  });
});
