import { testApp } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { refusalOf, type Claimed, type Refusal } from './refusal.js';

describe('the start of a session', () => {
  const right: Claimed = { packageName: 'com.sunrise.puzzle', isTestMode: false };
  const wrong: Claimed = { packageName: 'com.sunrise.Puzzle', isTestMode: false };
  const unapproved = testApp({ isApproved: false });
  const table: readonly (readonly [
    title: string,
    app: ReturnType<typeof testApp> | undefined,
    claimed: Claimed,
    refusal: Refusal | null,
  ])[] = [
    ['app and package are right', testApp(), right, null],
    ['the app is unknown', undefined, right, 'invalid_app_key'],
    ['the package differs in case only', testApp(), wrong, 'package_mismatch'],
    [
      'the package has an additional space',
      testApp(),
      { ...right, packageName: 'com.sunrise.puzzle ' },
      'package_mismatch',
    ],
    ['the package differs in test mode', testApp(), { ...wrong, isTestMode: true }, 'package_mismatch'],
    ['the app is not approved', unapproved, right, 'app_not_approved'],
    ['the app is not approved, in test mode', unapproved, { ...right, isTestMode: true }, null],
    ['the package differs and the app is not approved', unapproved, wrong, 'package_mismatch'],
    ['the app is blocked', testApp({ isBlocked: true }), right, null],
    ['the app is switched off', testApp({ isServingEnabled: false }), right, null],
  ];
  for (const [title, app, claimed, refusal] of table) {
    it(`${refusal === null ? 'succeeds' : `fails with ${refusal}`} when ${title}`, () => {
      expect(refusalOf(app, claimed)).to.equal(refusal);
    });
  }
});
