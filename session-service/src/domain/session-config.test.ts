import { testApp, testPlacement, testPublisher } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { toPlacementConfig, toSessionConfig } from './session-config.js';

const ON = { isServingEnabled: true };
const OFF = { isServingEnabled: false };

describe('serving_enabled', () => {
  const owners = { global: ON, publisher: testPublisher() };
  const unapproved = testPublisher({ isApproved: false });
  const table: readonly (readonly [
    title: string,
    app: ReturnType<typeof testApp>,
    owners: Parameters<typeof toSessionConfig>[1],
    live: boolean,
    test: boolean,
  ])[] = [
    ['everything is on', testApp(), owners, true, true],
    ['the global kill switch is on', testApp(), { ...owners, global: OFF }, false, false],
    [
      "the publisher's kill switch is on",
      testApp(),
      { ...owners, publisher: testPublisher(OFF) },
      false,
      false,
    ],
    ["the app's kill switch is on", testApp(OFF), owners, false, false],
    ['the app is blocked', testApp({ isBlocked: true }), owners, false, false],
    ['the publisher is not approved', testApp(), { ...owners, publisher: unapproved }, false, true],
    ['the app is not approved', testApp({ isApproved: false }), owners, true, true],
    ['the publisher is unknown', testApp(), { ...owners, publisher: undefined }, false, false],
  ];
  for (const [title, app, appOwners, live, test] of table) {
    it(`is ${String(live)} in live mode and ${String(test)} in test mode when ${title}`, () => {
      expect(toSessionConfig(app, appOwners, false).isServingEnabled).to.equal(live);
      expect(toSessionConfig(app, appOwners, true).isServingEnabled).to.equal(test);
    });
  }
});

describe('service_enabled', () => {
  const table: readonly (readonly [
    title: string,
    app: ReturnType<typeof testApp>,
    placement: ReturnType<typeof testPlacement>,
    isEnabled: boolean,
  ])[] = [
    ['app and placement are in their normal state', testApp(), testPlacement(), true],
    ['the placement is paused', testApp(), testPlacement({ isPaused: true }), false],
    ['the placement is switched off', testApp(), testPlacement({ isEnabled: false }), false],
    ['an admin disabled the placement', testApp(), testPlacement({ isDisabledByAdmin: true }), false],
    ['the app is blocked', testApp({ isBlocked: true }), testPlacement(), false],
    ["the app's kill switch is on", testApp(OFF), testPlacement(), true],
    ['the app is not approved', testApp({ isApproved: false }), testPlacement(), true],
  ];
  for (const [title, app, placement, isEnabled] of table) {
    it(`is ${String(isEnabled)} when ${title}`, () => {
      expect(toPlacementConfig(app, placement).isServiceEnabled).to.equal(isEnabled);
    });
  }
});

describe('the configuration of a session', () => {
  it('has the times and the fallback of the app, and the test mode of the request', () => {
    const app = testApp({ requestTimeoutMs: 1_500, configTtlSeconds: 77, isFallbackEnabled: false });
    expect(toSessionConfig(app, { global: ON, publisher: testPublisher() }, true)).to.deep.equal({
      isServingEnabled: true,
      requestTimeoutMs: 1_500,
      isFallbackEnabled: false,
      isTestMode: true,
      configTtlSeconds: 77,
    });
  });

  it('has the timeout, cap, refresh and fallback of each placement', () => {
    const placement = testPlacement({
      code: 'level_end',
      format: 'interstitial',
      fallbackProvider: 'none',
      partnerAdUnitId: null,
      requestTimeoutMs: 4_000,
      frequencyCap: { count: 3, period: 'hour' },
      bannerRefreshSeconds: 45,
    });
    expect(toPlacementConfig(testApp(), placement)).to.deep.equal({
      code: 'level_end',
      format: 'interstitial',
      isServiceEnabled: true,
      fallbackProvider: 'none',
      partnerAdUnitId: null,
      requestTimeoutMs: 4_000,
      frequencyCap: { count: 3, period: 'hour' },
      bannerRefreshSeconds: 45,
    });
  });
});
