import { expect } from 'chai';
import { expectEnvelopeHeaders, expectError, expectInvalid } from '../driver/expect.js';
import { World } from '../driver/world.js';

const world = new World('plain');

const app = world.app({
  fallback_enabled: false,
  request_timeout_ms: 1500,
  config_ttl_seconds: 600,
  placements: [
    {
      code: 'home_banner',
      format: 'banner',
      fallback_provider: 'partner',
      partner_ad_unit_id: 'ca-app-unit-1',
      request_timeout_ms: 100,
      frequency_cap: { count: 3, period: 'session' },
      banner_refresh_seconds: 45,
    },
    {
      code: 'level_end',
      format: 'interstitial',
      request_timeout_ms: 5000,
      frequency_cap: { count: 2, period: 'hour' },
    },
    { code: 'extra_life', format: 'rewarded', frequency_cap: { count: 1, period: 'day' } },
    { code: '00_plain', format: 'interstitial' },
  ],
});
const unapproved = world.app({ approved: false });
const campaign = world.campaign({ apps: [app], bid_cpm: '7.654321' });

describe('POST /sdk/initialize: the session', () => {
  world.use();

  it('answers 200 with exactly the fields of a session', async () => {
    const answer = await world.initialize(app);
    expect(answer.status, answer.text).to.equal(200);
    expectEnvelopeHeaders(answer);
    expect(answer.body).to.have.all.keys('session_token', 'session_expires_at', 'config', 'placements');
    expect(answer.body.session_token).to.be.a('string').with.length.within(1, 2048);
  });

  it('gives a session that expires one hour later, as ISO 8601 UTC with a trailing Z', async () => {
    const askedAt = Date.now();
    const answer = await world.initialize(app);
    expect(answer.body.session_expires_at).to.match(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
    const expiresAt = Date.parse(answer.body.session_expires_at);
    expect(expiresAt).to.be.within(askedAt + 3_599_000, Date.now() + 3_601_000);
  });

  it('gives the configuration of the app', async () => {
    const answer = await world.initialize(app);
    expect(answer.body.config).to.deep.equal({
      serving_enabled: true,
      request_timeout_ms: 1500,
      fallback_enabled: false,
      test_mode: false,
      config_ttl_seconds: 600,
    });
  });

  it('echoes test_mode', async () => {
    expect((await world.initialize(app, { test_mode: true })).body.config.test_mode).to.equal(true);
    expect((await world.initialize(app, { test_mode: false })).body.config.test_mode).to.equal(false);
    expect((await world.initialize(app, { test_mode: null })).body.config.test_mode).to.equal(false);
  });

  it('gives every placement with every field: the set value, the default or null', async () => {
    const { placements } = (await world.initialize(app)).body;
    const byCode = [...placements].sort((a, b) => a.code.localeCompare(b.code));
    const rest = { service_enabled: true, banner_refresh_seconds: 30, partner_ad_unit_id: null };
    const none = { ...rest, fallback_provider: 'none' };
    expect(byCode).to.deep.equal([
      {
        ...none,
        code: '00_plain',
        format: 'interstitial',
        request_timeout_ms: 1000,
        frequency_cap_count: null,
        frequency_cap_period: null,
      },
      {
        ...none,
        code: 'extra_life',
        format: 'rewarded',
        request_timeout_ms: 1000,
        frequency_cap_count: 1,
        frequency_cap_period: 'day',
      },
      {
        ...rest,
        code: 'home_banner',
        format: 'banner',
        fallback_provider: 'partner',
        partner_ad_unit_id: 'ca-app-unit-1',
        request_timeout_ms: 100,
        frequency_cap_count: 3,
        frequency_cap_period: 'session',
        banner_refresh_seconds: 45,
      },
      {
        ...none,
        code: 'level_end',
        format: 'interstitial',
        request_timeout_ms: 5000,
        frequency_cap_count: 2,
        frequency_cap_period: 'hour',
      },
    ]);
  });

  it('gives each session its own unreadable token', async () => {
    const tokens = await Promise.all([world.initialize(app), world.initialize(app)]);
    const [one, other] = tokens.map((answer) => answer.body.session_token);
    expect(one).to.not.equal(other);
    const readable = one!
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join(' ');
    expect(readable).to.not.contain(app.id).and.not.contain(app.package_name);
    expect(campaign.id).to.be.a('string');
  });
});

describe('POST /sdk/initialize: app key, package, approval', () => {
  world.use();

  const refusals = [
    {
      name: 'an unknown app key',
      fields: { app_key: 'app_000000000000000000000000' },
      code: 'invalid_app_key',
    },
    { name: 'an app key of the wrong shape', fields: { app_key: 'nonsense' }, code: 'invalid_app_key' },
    { name: 'an app key of 64 characters', fields: { app_key: 'a'.repeat(64) }, code: 'invalid_app_key' },
    { name: 'the id of the app instead of its key', fields: { app_key: app.id }, code: 'invalid_app_key' },
    {
      name: 'an app key with a trailing blank',
      fields: { app_key: `${app.app_key} ` },
      code: 'invalid_app_key',
    },
    {
      name: 'an unknown app key with a wrong package (the key is checked first)',
      fields: { app_key: 'app_x', package_name: 'com.other' },
      code: 'invalid_app_key',
    },
    { name: 'another package', fields: { package_name: 'com.other' }, code: 'package_mismatch' },
    {
      name: 'the package in capitals',
      fields: { package_name: app.package_name.toUpperCase() },
      code: 'package_mismatch',
    },
    {
      name: 'the package with a trailing blank',
      fields: { package_name: `${app.package_name} ` },
      code: 'package_mismatch',
    },
    {
      name: 'a package of 255 characters',
      fields: { package_name: 'p'.repeat(255) },
      code: 'package_mismatch',
    },
  ];
  for (const { name, fields, code } of refusals) {
    it(`answers ${code} to ${name}`, async () => {
      expectError(await world.initialize(app, fields), code === 'invalid_app_key' ? 401 : 403, code);
    });
  }

  it('answers 403 app_not_approved to a live session of an app that is not approved', async () => {
    for (const test_mode of [undefined, null, false]) {
      expectError(await world.initialize(unapproved, { test_mode }), 403, 'app_not_approved');
    }
  });

  it('starts a test session of an app that is not approved', async () => {
    const answer = await world.initialize(unapproved, { test_mode: true });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.config.serving_enabled).to.equal(true);
  });

  it('checks the package before the approval, and in test mode too', async () => {
    const fields = { package_name: 'com.other' };
    expectError(await world.initialize(unapproved, fields), 403, 'package_mismatch');
    expectError(await world.initialize(unapproved, { ...fields, test_mode: true }), 403, 'package_mismatch');
  });
});

describe('POST /sdk/initialize: fields', () => {
  world.use();

  const long = (length: number): string => '\u{1F600}'.repeat(length);
  const bad: readonly {
    readonly name: string;
    readonly fields: object;
    readonly listed: readonly string[];
  }[] = [
    { name: 'no app_key', fields: { app_key: undefined }, listed: ['app_key'] },
    { name: 'app_key null', fields: { app_key: null }, listed: ['app_key'] },
    { name: 'app_key empty', fields: { app_key: '' }, listed: ['app_key'] },
    { name: 'app_key of 65 characters', fields: { app_key: 'a'.repeat(65) }, listed: ['app_key'] },
    { name: 'app_key a number', fields: { app_key: 5 }, listed: ['app_key'] },
    { name: 'app_key an object', fields: { app_key: {} }, listed: ['app_key'] },
    { name: 'no package_name', fields: { package_name: undefined }, listed: ['package_name'] },
    { name: 'package_name null', fields: { package_name: null }, listed: ['package_name'] },
    { name: 'package_name empty', fields: { package_name: '' }, listed: ['package_name'] },
    {
      name: 'package_name of 256 characters',
      fields: { package_name: 'p'.repeat(256) },
      listed: ['package_name'],
    },
    { name: 'package_name a list', fields: { package_name: [] }, listed: ['package_name'] },
    { name: 'sdk_version of 33 code points', fields: { sdk_version: long(33) }, listed: ['sdk_version'] },
    { name: 'app_version of 65 code points', fields: { app_version: long(65) }, listed: ['app_version'] },
    { name: 'os_version of 33 code points', fields: { os_version: long(33) }, listed: ['os_version'] },
    { name: 'sdk_version a number', fields: { sdk_version: 1.2 }, listed: ['sdk_version'] },
    { name: 'platform ios', fields: { platform: 'ios' }, listed: ['platform'] },
    { name: 'platform Android in another case', fields: { platform: 'Android' }, listed: ['platform'] },
    { name: 'platform empty', fields: { platform: '' }, listed: ['platform'] },
    { name: 'platform a boolean', fields: { platform: true }, listed: ['platform'] },
    { name: 'test_mode "true"', fields: { test_mode: 'true' }, listed: ['test_mode'] },
    { name: 'test_mode 1', fields: { test_mode: 1 }, listed: ['test_mode'] },
    {
      name: 'several invalid fields, all listed in one answer',
      fields: {
        app_key: null,
        package_name: undefined,
        platform: 'ios',
        test_mode: 0,
        os_version: 'v'.repeat(33),
      },
      listed: ['app_key', 'os_version', 'package_name', 'platform', 'test_mode'],
    },
  ];
  for (const { name, fields, listed } of bad) {
    it(`answers 422 validation_failed to ${name}`, async () => {
      expectInvalid(await world.initialize(app, fields as Record<string, unknown>), listed);
    });
  }

  const good: readonly { readonly name: string; readonly fields: object }[] = [
    { name: 'platform android', fields: { platform: 'android' } },
    {
      name: 'every optional field null',
      fields: { sdk_version: null, app_version: null, platform: null, os_version: null, test_mode: null },
    },
    { name: 'empty optional strings', fields: { sdk_version: '', app_version: '', os_version: '' } },
    {
      name: 'optional strings of the greatest length, counted in code points',
      fields: { sdk_version: long(32), app_version: long(64), os_version: long(32) },
    },
    { name: 'unknown fields', fields: { idfa: 'x', nested: { a: [1] }, constructor: 1 } },
  ];
  for (const { name, fields } of good) {
    it(`accepts ${name}`, async () => {
      const answer = await world.initialize(app, fields as Record<string, unknown>);
      expect(answer.status, answer.text).to.equal(200);
    });
  }

  it('never answers 500 to control characters and lone surrogates', async () => {
    for (const odd of ['\u0000', 'com\u0000x', '\ud800', 'a\udc00b', '\u001b[31m', '\u2028', '\ufeff']) {
      for (const field of [
        'app_key',
        'package_name',
        'sdk_version',
        'app_version',
        'os_version',
        'platform',
      ]) {
        const answer = await world.initialize(app, { [field]: odd });
        expect(answer.status, `${field} ${JSON.stringify(odd)}: ${answer.text}`).to.be.oneOf([
          200, 401, 403, 422,
        ]);
      }
    }
  });
});
