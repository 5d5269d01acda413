import { asAppKey, type SessionClaims } from '@placard/service-kit/pure';
import { makeCatalog } from '@placard/service-kit/catalog-reader';
import {
  codeOf,
  makeTestClock,
  makeTestRandom,
  testApp,
  testPlacement,
  testPublisher,
} from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { PackageMismatch } from '../clients/package-mismatches.js';
import { makeStartSession, type SessionRequest, type StartSession } from './start-session.js';

const NOW_MS = 1_772_366_400_123;
const REQUEST: SessionRequest = {
  appKey: asAppKey('app_0123456789abcdefghijABCD'),
  packageName: 'com.sunrise.puzzle',
  isTestMode: false,
};

interface Subject {
  readonly startSession: StartSession;
  readonly sealed: SessionClaims[];
  readonly reported: PackageMismatch[];
  readonly outcomes: string[];
}

function makeSubject(options: { readonly isCatalogLoaded?: boolean } = {}): Subject {
  const sealed: SessionClaims[] = [];
  const reported: PackageMismatch[] = [];
  const outcomes: string[] = [];
  const startSession = makeStartSession({
    catalog: makeCatalog({
      publishers: [testPublisher()],
      apps: [
        testApp(),
        testApp({ id: 'app_new', appKey: 'app_new', packageName: 'com.new', isApproved: false }),
      ],
      placements: [
        testPlacement({ code: 'zz' }),
        testPlacement({ code: 'aa' }),
        testPlacement({ appId: 'app_new' }),
      ],
    }),
    isCatalogLoaded: () => options.isCatalogLoaded ?? true,
    seal: (claims) => `token ${sealed.push(claims)}`,
    mismatches: { report: (mismatch) => reported.push(mismatch) },
    clock: makeTestClock(NOW_MS),
    random: makeTestRandom(1),
    sessionTtlMs: 3_600_000,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  return { startSession, sealed, reported, outcomes };
}

describe('the start of a session', () => {
  it('gives a token that expires exactly one lifetime later, to the millisecond', () => {
    const { startSession, sealed, outcomes } = makeSubject();
    const session = startSession(REQUEST);
    expect(session.token).to.equal('token 1');
    expect(session.expiresAtMs).to.equal(NOW_MS + 3_600_000);
    expect(sealed[0]).to.deep.include({
      appId: 'app_sunrise_puzzle',
      packageName: 'com.sunrise.puzzle',
      isTest: false,
      issuedAtMs: NOW_MS,
      expiresAtMs: NOW_MS + 3_600_000,
    });
    expect(outcomes).to.deep.equal(['started']);
  });

  it('gives each session its own id', () => {
    const { startSession, sealed } = makeSubject();
    for (let count = 0; count < 100; count += 1) startSession(REQUEST);
    expect(new Set(sealed.map(({ sessionId }) => sessionId)).size).to.equal(100);
  });

  it('gives the placements of the app and no others, ordered by code', () => {
    const { placements } = makeSubject().startSession(REQUEST);
    expect(placements.map(({ code }) => code)).to.deep.equal(['aa', 'zz']);
  });

  it('puts test mode into the token and the configuration', () => {
    const { startSession, sealed } = makeSubject();
    const session = startSession({ ...REQUEST, isTestMode: true });
    expect(session.config.isTestMode).to.equal(true);
    expect(sealed[0]?.isTest).to.equal(true);
  });

  it('refuses an unknown app key of any form', async () => {
    const { startSession, reported } = makeSubject();
    for (const appKey of ['', 'nonsense', '__proto__', 'APP_0123456789ABCDEFGHIJabcd']) {
      expect(await codeOf(() => startSession({ ...REQUEST, appKey: asAppKey(appKey) }))).to.equal(
        'invalid_app_key',
      );
    }
    expect(reported).to.deep.equal([]);
  });

  it('refuses and reports another package, in test mode too', async () => {
    const { startSession, reported, sealed, outcomes } = makeSubject();
    const wrong = { ...REQUEST, packageName: 'com.other' };
    expect(await codeOf(() => startSession(wrong))).to.equal('package_mismatch');
    expect(await codeOf(() => startSession({ ...wrong, isTestMode: true }))).to.equal('package_mismatch');
    const report = { appId: 'app_sunrise_puzzle', atMs: NOW_MS };
    expect(reported).to.deep.equal([report, report]);
    expect(sealed).to.deep.equal([]);
    expect(outcomes).to.deep.equal(['package_mismatch', 'package_mismatch']);
  });

  it('refuses an app that is not approved, except in test mode', async () => {
    const { startSession } = makeSubject();
    const request = { ...REQUEST, appKey: asAppKey('app_new'), packageName: 'com.new' };
    expect(await codeOf(() => startSession(request))).to.equal('app_not_approved');
    expect(await codeOf(() => startSession({ ...request, isTestMode: true }))).to.equal(null);
  });

  it('fails with `unavailable`, and refuses no app key, before a catalog is loaded', async () => {
    const { startSession, outcomes } = makeSubject({ isCatalogLoaded: false });
    expect(await codeOf(() => startSession(REQUEST))).to.equal('unavailable');
    expect(outcomes).to.deep.equal([]);
  });
});
