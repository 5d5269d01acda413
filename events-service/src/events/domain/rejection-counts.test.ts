import {
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  HOUR_MS,
  type ImpressionClaims,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { REJECTION_KINDS_MAX, RejectionCounts } from './rejection-counts.js';

const claims = {
  appId: 'app_1',
  placement: 'home',
  format: 'banner',
  country: 'DE',
  isTest: false,
} as ImpressionClaims;

describe('counting rejections', () => {
  it('adds up rejections with equal report dimensions, and starts from zero after each take', () => {
    const counts = new RejectionCounts();
    for (const reason of ['duplicate', 'duplicate', 'expired_token'] as const) counts.add(reason, claims, 0);
    counts.add('duplicate', claims, HOUR_MS);
    counts.add('invalid_token', null, 0);
    expect(
      counts.take().map(({ hour, appId, reason, rejections }) => [hour, appId, reason, rejections]),
    ).to.deep.equal([
      [0, 'app_1', 'duplicate', 2],
      [0, 'app_1', 'expired_token', 1],
      [1, 'app_1', 'duplicate', 1],
      [0, '', 'invalid_token', 1],
    ]);
    expect(counts.take()).to.deep.equal([]);
  });

  it('keeps every dimension of the token, and none without a token', () => {
    const token = {
      publisherId: asPublisherId('pub_1'),
      appId: asAppId('app_1'),
      placement: asPlacementCode('home'),
      format: 'rewarded',
      country: 'DE',
      advertiserId: asAdvertiserId('adv_1'),
      campaignId: asCampaignId('cmp_1'),
      creativeId: asCreativeId('cr_1'),
    } as const;
    const counts = new RejectionCounts();
    counts.add('duplicate', { ...claims, ...token }, 0);
    counts.add('invalid_token', null, 0);
    const none = Object.fromEntries(Object.keys(token).map((dimension) => [dimension, '']));
    expect(counts.take()).to.deep.equal([
      { ...token, hour: 0, reason: 'duplicate', rejections: 1 },
      { ...none, hour: 0, reason: 'invalid_token', rejections: 1 },
    ]);
  });

  it('leaves test traffic out', () => {
    const counts = new RejectionCounts();
    expect(counts.add('duplicate', { ...claims, isTest: true }, 0)).to.equal(true);
    expect(counts.take()).to.deep.equal([]);
  });

  it('is bounded: new kinds are dropped when it is full, known ones still count', () => {
    const counts = new RejectionCounts();
    for (let hour = 0; hour < REJECTION_KINDS_MAX; hour += 1) counts.add('duplicate', claims, hour * HOUR_MS);
    expect(counts.add('duplicate', claims, REJECTION_KINDS_MAX * HOUR_MS)).to.equal(false);
    expect(counts.add('duplicate', claims, 0)).to.equal(true);
  });
});
