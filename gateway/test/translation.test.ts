import { appError, PUBLIC_ERROR_CODES } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { EventVerdict, type ReportErrorsRequest } from '@placard/protos/events/v1/events.js';
import { NoFillReason } from '@placard/protos/serving/v1/serving.js';
import { FallbackProvider } from '@placard/protos/catalog/v1/catalog.js';
import { expect } from 'chai';
import { openTestGateway, untilTrue, type TestGateway } from './gateway.js';
import { expectError, post, send, VALID_BODIES } from './http.js';
import { makePeers } from './peers.js';

const INITIALIZE = '/v1/sdk/initialize';
const ADS = '/v1/ads/request';
/** A value of a newer release, in any enum. */
const NEWER = 999;
const NO_FILL = {
  status: 'no_fill',
  request_id: 'req_9',
  fallback: 'none',
  reason: 'no_eligible_campaign',
};
const EVENT_PATHS = ['/v1/events/impression', '/v1/events/click', '/v1/events/reward'] as const;

describe('translation to the services', () => {
  let gateway: TestGateway;
  const valid = (path: string, more: object = {}) => ({ ...VALID_BODIES[path], ...more });
  const to = (path: string, body: object, headers = {}) => post(gateway.url, path, body, headers);
  const lastReceived = () => gateway.peers.received.at(-1)?.request as Record<string, unknown>;

  before(async () => {
    const { redis } = await openTestRedis();
    redis.disconnect();
    gateway = await openTestGateway();
  });
  after(() => gateway.close());
  afterEach(() => {
    const fresh = makePeers(gateway.peers.received);
    Object.assign(gateway.peers.session, fresh.session);
    Object.assign(gateway.peers.serving, fresh.serving);
    Object.assign(gateway.peers.events, fresh.events);
    Object.assign(gateway.peers.reports, fresh.reports);
  });

  it('initialize answers with a session with every field', async () => {
    const answer = await to(INITIALIZE, valid(INITIALIZE, { test_mode: true, sdk_version: '2.4.0' }));
    expect(gateway.peers.received.at(-1)?.request).to.deep.equal({
      appKey: 'app_0123456789abcdefghijABCD',
      packageName: 'com.sunrise.puzzle',
      sdkVersion: '2.4.0',
      appVersion: undefined,
      osVersion: undefined,
      testMode: true,
    });
    expect(answer.json).to.deep.equal({
      session_token: 'a.session.token',
      session_expires_at: '2026-05-01T13:00:00.000Z',
      config: {
        serving_enabled: true,
        request_timeout_ms: 1_500,
        fallback_enabled: true,
        test_mode: true,
        config_ttl_seconds: 300,
      },
      placements: [
        {
          code: 'home_banner',
          format: 'banner',
          service_enabled: true,
          fallback_provider: 'partner',
          partner_ad_unit_id: 'ca-app-unit-1',
          request_timeout_ms: 1_000,
          frequency_cap_count: 3,
          frequency_cap_period: 'session',
          banner_refresh_seconds: 30,
        },
        {
          code: 'level_end',
          format: 'interstitial',
          service_enabled: false,
          fallback_provider: 'none',
          partner_ad_unit_id: null,
          request_timeout_ms: 1_000,
          frequency_cap_count: null,
          frequency_cap_period: null,
          banner_refresh_seconds: 30,
        },
      ],
    });
  });

  it('an ad request carries all targeting fields, and a fill has every field', async () => {
    const more = {
      language: 'pt_BR',
      android_version: '14.0.1',
      screen_width: 1_080,
      screen_height: 2_400,
      test_mode: true,
      app_version: '7.1.3',
      sdk_version: '',
    };
    const answer = await to(ADS, valid(ADS, more), { Host: 'ads.example.com' });
    expect(lastReceived()).to.include({
      appKey: 'app_0123456789abcdefghijABCD',
      placement: 'home_banner',
      format: 1,
      sessionToken: 'a.session.token',
      language: 'pt_BR',
      androidVersion: '14.0.1',
      screenWidth: 1_080,
      screenHeight: 2_400,
      testMode: true,
      testForceNoFill: false,
      publicBaseUrl: 'http://ads.example.com',
      appVersion: '7.1.3',
      sdkVersion: undefined,
    });
    const { ad, ...rest } = answer.json as { ad: Record<string, unknown>; status: string };
    expect(rest).to.include({ status: 'fill' }).and.have.property('request_id');
    expect(ad).to.include({
      campaign_id: 'cmp_spring',
      creative_id: 'cr_spring',
      format: 'banner',
      creative_type: 'image',
      creative_url: 'http://ads.example.com/creatives/spring.png',
      click_url: 'https://shop.example.com/spring',
      width: 320,
      height: 50,
      duration_seconds: null,
      expires_at: '2026-05-01T13:00:00.000Z',
      test: true,
    });
  });

  const reasons = [
    [NoFillReason.NO_ELIGIBLE_CAMPAIGN, 'no_eligible_campaign'],
    [NoFillReason.SERVING_DISABLED, 'serving_disabled'],
    [NoFillReason.PLACEMENT_DISABLED, 'placement_disabled'],
    [NoFillReason.FREQUENCY_CAPPED, 'frequency_capped'],
    [NoFillReason.TEST_NO_FILL, 'test_no_fill'],
  ] as const;
  for (const [wire, reason] of reasons) {
    it(`a no-fill is answered with 200, the reason ${reason} and the placement’s fallback`, async () => {
      for (const [provider, fallback] of [
        [FallbackProvider.NONE, 'none'],
        [FallbackProvider.PARTNER, 'partner'],
      ] as const) {
        gateway.peers.serving.requestAd = () =>
          Promise.resolve({
            requestId: 'req_9',
            result: { $case: 'noFill', value: { fallback: provider, reason: wire } },
          });
        const answer = await to(ADS, valid(ADS));
        expect(answer).to.deep.include({
          status: 200,
          json: { status: 'no_fill', request_id: 'req_9', fallback, reason },
        });
      }
    });
  }

  it('an unknown no-fill reason and fallback provider of a newer service are `no_eligible_campaign` and `none`', async () => {
    gateway.peers.serving.requestAd = () =>
      Promise.resolve({
        requestId: 'req_9',
        result: {
          $case: 'noFill',
          value: { fallback: NEWER as FallbackProvider, reason: NEWER as NoFillReason },
        },
      });
    expect((await to(ADS, valid(ADS))).json).to.deep.equal(NO_FILL);
  });

  for (const field of ['format', 'creativeType']) {
    it(`an ad with an unknown ${field} of a newer service is a no-fill`, async () => {
      const { requestAd } = makePeers([]).serving;
      gateway.peers.serving.requestAd = async (request, call) => {
        const { result } = await requestAd(request, call);
        Object.assign(result!.value, { [field]: NEWER });
        return { requestId: 'req_9', result };
      };
      expect((await to(ADS, valid(ADS))).json).to.deep.equal(NO_FILL);
    });
  }

  it('a session leaves out placements with an unknown format, and caps with an unknown period', async () => {
    const { startSession } = makePeers([]).session;
    gateway.peers.session.startSession = async (request, call) => {
      const answer = await startSession(request, call);
      const [banner, interstitial] = answer.placements;
      Object.assign(banner!, { fallbackProvider: NEWER, frequencyCap: { count: 3, period: NEWER } });
      Object.assign(interstitial!, { format: NEWER });
      return answer;
    };
    const { placements } = (await to(INITIALIZE, valid(INITIALIZE))).json as { placements: object[] };
    expect(placements).to.have.length(1);
    expect(placements[0]).to.deep.include({
      code: 'home_banner',
      fallback_provider: 'none',
      frequency_cap_count: null,
      frequency_cap_period: null,
    });
  });

  it('a reward is answered with its completion', async () => {
    for (const completion of [true, false]) {
      const answer = await to('/v1/events/reward', valid('/v1/events/reward', { completion }));
      expect(answer.json).to.deep.equal({ status: 'accepted', rewarded: completion });
      expect(lastReceived()).to.include({ completion });
    }
  });

  for (const path of EVENT_PATHS) {
    const verdicts = [
      [EventVerdict.DUPLICATE, 409, 'duplicate'],
      [EventVerdict.INVALID_TOKEN, 422, 'invalid_token'],
      [EventVerdict.EXPIRED_TOKEN, 422, 'expired_token'],
      [EventVerdict.REQUEST_MISMATCH, 422, 'request_mismatch'],
      [EventVerdict.NO_IMPRESSION, 422, 'no_impression'],
      [EventVerdict.SUSPICIOUS, 422, 'suspicious'],
      // A verdict of a newer release is final, like every rejection.
      [NEWER as EventVerdict, 422, 'suspicious'],
    ] as const;
    it(`${path} answers every rejection with its status`, async () => {
      let n = 0;
      for (const [verdict, status, reason] of verdicts) {
        const record = () => Promise.resolve({ verdict });
        Object.assign(gateway.peers.events, {
          recordImpression: record,
          recordClick: record,
          recordReward: record,
        });
        const id = `${path.split('/').at(-1)}_${(n += 1)}`;
        const ad = { request_id: `req_${id}`, impression_token: `a.token.${id}` };
        const answer = await to(path, valid(path, ad));
        expect(answer).to.deep.include({ status, json: { status: 'rejected', reason } });
      }
    });
  }

  const STATUS: Readonly<Record<string, number>> = {
    invalid_app_key: 401,
    invalid_session: 401,
    session_expired: 401,
    package_mismatch: 403,
    app_not_approved: 403,
    placement_not_found: 404,
    format_mismatch: 422,
  };
  for (const code of PUBLIC_ERROR_CODES.filter((known) => known in STATUS)) {
    it(`${code} of a service reaches the client with ${STATUS[code] ?? 0}`, async () => {
      gateway.peers.serving.requestAd = () => Promise.reject(appError(code, 'Said by the peer.'));
      expectError(await to(ADS, valid(ADS)), STATUS[code]!, code);
    });
  }

  it('rate_limited and validation_failed of a service keep their header and fields', async () => {
    gateway.peers.serving.requestAd = () =>
      Promise.reject(appError('rate_limited', 'Slowly.', { retryAfterSeconds: 7 }));
    expect((await to(ADS, valid(ADS))).headers['retry-after']).to.equal('7');
    const fields = { placement: ['is odd'] };
    gateway.peers.serving.requestAd = () => Promise.reject(appError('validation_failed', 'No.', { fields }));
    expect((await to(ADS, valid(ADS))).json)
      .to.have.nested.property('error.fields')
      .deep.equal(fields);
  });

  it('every other failure is 500 server_error without its cause', async () => {
    const faults = [
      appError('not_found', 'postgres://secret'),
      appError('unavailable', 'redis-7 is down'),
      new Error('TypeError at /srv/app.js:1'),
    ];
    for (const fault of faults) {
      gateway.peers.serving.requestAd = () => Promise.reject(fault);
      const answer = await send(gateway.url, {
        method: 'POST',
        path: ADS,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(valid(ADS)),
      });
      expectError(answer, 500, 'server_error');
      expect(answer.headers['cache-control']).to.equal('no-store, private');
      expect(answer.text).not.to.match(/secret|redis|TypeError|srv/);
    }
  });

  it('an invalid answer of a peer is 500 server_error', async () => {
    const noReason = { fallback: FallbackProvider.NONE, reason: NoFillReason.UNSPECIFIED };
    const request = {
      method: 'POST',
      path: ADS,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(valid(ADS)),
    };
    for (const result of [undefined, { $case: 'noFill', value: noReason } as const]) {
      gateway.peers.serving.requestAd = () => Promise.resolve({ requestId: 'req_1', result });
      expectError(await send(gateway.url, request), 500, 'server_error');
    }
  });

  it('deadlines and a correlation id travel with each call', async () => {
    const seen: { left: number; id: string }[] = [];
    const { requestAd } = makePeers().serving;
    gateway.peers.serving.requestAd = (request, call) => {
      seen.push({ left: call.deadlineAt - Date.now(), id: call.requestId });
      return requestAd(request, call);
    };
    await to(ADS, valid(ADS));
    await to(ADS, valid(ADS));
    expect(seen[0]?.left).to.be.within(500, 3_000);
    expect(seen[0]?.id).to.have.length.greaterThan(10);
    expect(seen[0]?.id).not.to.equal(seen[1]?.id);
  });

  it('errors are reported to events-service by app key, status and code, each once', async () => {
    const reports: ReportErrorsRequest[] = [];
    gateway.peers.reports.reportErrors = (request) => {
      reports.push(request);
      return Promise.resolve({});
    };
    gateway.peers.session.startSession = () =>
      Promise.reject(appError('package_mismatch', 'Another package.'));
    // Other tests of this file cause errors too, with another key.
    const appKey = `app_${'E'.repeat(24)}`;
    await to(INITIALIZE, valid(INITIALIZE, { app_key: appKey }));
    await to(INITIALIZE, valid(INITIALIZE, { app_key: appKey }));
    await to(ADS, { app_key: appKey });
    await to(ADS, valid(ADS, { app_key: appKey }));
    const errorsOf = (): readonly string[] =>
      reports.flatMap(({ errors }) =>
        errors.filter((one) => one.appKey === appKey).map(({ error, count }) => `${error} ${count}`),
      );
    await untilTrue(() => errorsOf().length > 0);
    expect([...errorsOf()].sort()).to.deep.equal(['403.package_mismatch 2', '422.validation_failed 1']);
    expect(reports.every(({ sequence }) => sequence > 0n)).to.equal(true);
  });
});
