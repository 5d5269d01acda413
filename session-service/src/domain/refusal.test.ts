import { testApp } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { refusalOf, type Claimed, type Refusal } from './refusal.js';

describe('whether a session may start', () => {
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
    ['the app is not known', undefined, right, 'invalid_app_key'],
    ['the package differs by case only', testApp(), wrong, 'package_mismatch'],
    [
      'the package has a space more',
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
    it(`${refusal ?? 'it starts'}: ${title}`, () => {
      expect(refusalOf(app, claimed)).to.equal(refusal);
    });
  }
});
