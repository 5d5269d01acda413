import { asAppId, DAY_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { OTHER_VERSIONS, VERSION_PAIRS_MAX, VersionNames } from './version-names.js';

const APP = asAppId('app_a');
const NOON = Date.UTC(2026, 4, 1, 12);

describe('the versions that reports count', () => {
  it('are those of the request, also when it names none', () => {
    const names = new VersionNames();
    for (const versions of [
      { appVersion: '7.1.3', sdkVersion: '2.4.0-beta+5' },
      { appVersion: null, sdkVersion: '2.4.0' },
      { appVersion: null, sdkVersion: null },
    ])
      expect(names.nameOf(APP, versions, NOON)).to.deep.equal(versions);
  });

  it('are `other` for a text that is no version, and it takes no place', () => {
    const names = new VersionNames();
    for (let count = 0; count < VERSION_PAIRS_MAX; count += 1) {
      const appVersion = ['', 'a b', '1|2', '\u0000', `1${'.0'.repeat(16)}`][count % 5] ?? '';
      expect(names.nameOf(APP, { appVersion, sdkVersion: null }, NOON)).to.equal(OTHER_VERSIONS);
    }
    const wanted = { appVersion: '3.2', sdkVersion: null };
    expect(names.nameOf(APP, wanted, NOON)).to.deep.equal(wanted);
  });

  it('are the first hundred pairs of an app and UTC day; further ones are `other`', () => {
    const names = new VersionNames();
    const pair = (count: number) => ({ appVersion: `1.${count}`, sdkVersion: '2.0' });
    for (let count = 0; count < VERSION_PAIRS_MAX; count += 1) names.nameOf(APP, pair(count), NOON);
    const late = pair(VERSION_PAIRS_MAX);
    expect(names.nameOf(APP, late, NOON)).to.equal(OTHER_VERSIONS);
    expect(names.nameOf(APP, pair(0), NOON)).to.deep.equal(pair(0));
    expect(names.nameOf(asAppId('app_b'), late, NOON)).to.deep.equal(late);
    expect(names.nameOf(APP, late, NOON + DAY_MS)).to.deep.equal(late);
  });
});
