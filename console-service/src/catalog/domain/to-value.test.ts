import { expect } from 'chai';
import { EXAMPLE, exampleWith } from '../../../test/support/catalog-text.js';
import { judge, storedAfter } from '../../../test/support/judge.js';
import type { ObjectKind } from '@placard/service-kit/pure';
import type { CatalogRow, Fields } from './catalog-object.js';
import { toValue } from './to-value.js';

/** The object of a kind that a file stores, with changed fields. */
function rowOf(kind: ObjectKind, text = EXAMPLE, changes: Fields = {}): CatalogRow {
  const object = storedAfter(judge(text).changes).find((each) => each.kind === kind);
  if (object === undefined) throw new Error(`the file stores no ${kind}`);
  const fields = { ...object.fields, ...changes };
  return { ...object, fields, version: 1, isRemoved: false, fundedNanos: 7n };
}

const campaignWith = (changes: Fields) => toValue('campaign', rowOf('campaign', EXAMPLE, changes));

describe('an object of the catalog as its readers get it', () => {
  it('is the global switch', () => {
    expect(toValue('global', rowOf('global'))).to.deep.equal({ isServingEnabled: true });
  });

  it('is a publisher, whose share is in basis points', () => {
    expect(toValue('publisher', rowOf('publisher', exampleWith('0.70', '0.7001')))).to.deep.equal({
      id: 'pub_sunrise',
      isApproved: true,
      isServingEnabled: true,
      revenueShareBp: 7_001,
    });
  });

  it('is an app, whose language is a primary subtag', () => {
    expect(toValue('app', rowOf('app', exampleWith('language: en', 'language: pt-BR')))).to.deep.equal({
      id: 'app_sunrise_puzzle',
      publisherId: 'pub_sunrise',
      appKey: 'app_0123456789abcdefghijABCD',
      packageName: 'com.sunrise.puzzle',
      isApproved: true,
      isBlocked: false,
      isServingEnabled: true,
      isFallbackEnabled: true,
      language: 'pt',
      category: 'games',
      requestTimeoutMs: 1_500,
      configTtlSeconds: 300,
      isExplained: false,
    });
  });

  it('is a placement, which is named by its code', () => {
    expect(toValue('placement', rowOf('placement'))).to.deep.equal({
      appId: 'app_sunrise_puzzle',
      code: 'home_banner',
      format: 'banner',
      isPaused: false,
      isEnabled: true,
      isDisabledByAdmin: false,
      fallbackProvider: 'partner',
      partnerAdUnitId: 'ca-app-unit-1',
      requestTimeoutMs: 1_000,
      frequencyCap: { count: 3, period: 'session' },
      bannerRefreshSeconds: 30,
    });
  });

  it('is an advertiser with everything that was paid in, without the opening balance', () => {
    expect(toValue('advertiser', rowOf('advertiser'))).to.deep.equal({
      id: 'adv_northwind',
      isApproved: true,
      fundedNanos: 7n,
    });
  });

  it('is a campaign, whose bid is the cost of one impression', () => {
    expect(toValue('campaign', rowOf('campaign'))).to.deep.equal({
      id: 'cmp_spring',
      advertiserId: 'adv_northwind',
      status: 'active',
      costNanos: 2_500_000n,
      startsAtMs: Date.UTC(2026, 0, 1),
      endsAtMs: null,
      budgetTotalNanos: 200_000_000_000n,
      budgetDailyNanos: 20_000_000_000n,
      pacing: 'even',
      countries: [],
      formats: [],
      languages: [],
      appIds: [],
      appCategories: [],
      androidVersions: [],
      frequencyCap: null,
    });
  });

  it('is a creative', () => {
    expect(toValue('creative', rowOf('creative'))).to.deep.equal({
      id: 'cr_spring_banner',
      campaignId: 'cmp_spring',
      format: 'banner',
      type: 'image',
      url: 'https://cdn.example.com/spring-320x50.png',
      clickUrl: 'https://shop.example.com/spring',
      width: 320,
      height: 50,
      durationSeconds: null,
      isApproved: true,
    });
  });

  it('has each value of a list once: of two languages the primary subtag may be the same', () => {
    expect(campaignWith({ 'targeting.languages': ['pt-BR', 'en', 'PT'] }).languages).to.deep.equal([
      'pt',
      'en',
    ]);
    expect(campaignWith({ 'targeting.android_versions': [13, 14] }).androidVersions).to.deep.equal([13, 14]);
    expect(campaignWith({ countries: ['US', 'DE', 'US'] }).countries).to.deep.equal(['US', 'DE']);
  });

  it('has null where a field that may be null was not stored', () => {
    const row = rowOf('campaign');
    const fields = Object.fromEntries(Object.entries(row.fields).filter(([name]) => name !== 'ends_at'));
    expect(toValue('campaign', { ...row, fields }).endsAtMs).to.equal(null);
  });

  const broken: readonly (readonly [string, Fields])[] = [
    ['status', { status: 'running' }],
    ['status', { status: 5 }],
    ['status', { status: null }],
    ['starts_at', { starts_at: true }],
    ['countries', { countries: 'DE' }],
    ['countries', { countries: null }],
    ['targeting.formats', { 'targeting.formats': ['banner', 'square'] }],
    ['targeting.android_versions', { 'targeting.android_versions': ['14'] }],
    ['targeting.languages', { 'targeting.languages': ['e'] }],
    ['frequency_cap', { frequency_cap: { count: 1, period: 'week' } }],
    ['frequency_cap', { frequency_cap: [1] }],
    ['frequency_cap', { frequency_cap: 'day' }],
  ];
  for (const [field, changes] of broken) {
    it(`is refused where the stored campaign has ${JSON.stringify(changes)}`, () => {
      expect(() => campaignWith(changes)).to.throw(`the stored campaign cmp_spring has no valid ${field}`);
    });
  }

  it('is refused where the stored amount, flag or number is none', () => {
    expect(() => campaignWith({ bid_cpm: '2,50' })).to.throw('stored amount 2,50 is not a decimal');
    const creativeWith = (changes: Fields) => () => toValue('creative', rowOf('creative', EXAMPLE, changes));
    expect(creativeWith({ approved: 'true' })).to.throw('creative cr_spring_banner has no valid approved');
    expect(creativeWith({ width: '320' })).to.throw('creative cr_spring_banner has no valid width');
    expect(creativeWith({ duration_seconds: '5' })).to.throw('has no valid duration_seconds');
    expect(toValue('creative', rowOf('creative', EXAMPLE, { duration_seconds: 5.5 }))).to.have.property(
      'durationSeconds',
      5.5,
    );
  });
});
