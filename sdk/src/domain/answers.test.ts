import { expect } from 'chai';
import { isAnswerTo, isRejection } from './answers.js';

const AD = {
  id: 'ad_1',
  format: 'banner',
  creative_type: 'image',
  creative_url: 'https://files.example.com/1.png',
  click_url: 'https://shop.example.com/',
  impression_token: 'token',
  expires_at: '2026-11-01T12:30:00Z',
};
const PLACEMENT = {
  code: 'top',
  format: 'banner',
  service_enabled: true,
  fallback_provider: 'none',
  request_timeout_ms: 2_000,
  banner_refresh_seconds: 30,
};
const GOOD = [
  [
    '/sdk/initialize',
    {
      session_token: 'token',
      session_expires_at: '2026-11-01T13:00:00Z',
      config: { serving_enabled: true, fallback_enabled: true, config_ttl_seconds: 300 },
      placements: [PLACEMENT],
    },
  ],
  ['/ads/request', { status: 'fill', request_id: 'req_1', ad: AD }],
  ['/ads/request', { status: 'no_fill', request_id: 'req_1', reason: 'frequency_capped', fallback: 'none' }],
  ['/events/impression', { status: 'accepted' }],
] as const;

/** Copies that lack one member, at any depth. */
function lacking(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(lacking).map((less) => [less]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    { ...value, [name]: undefined },
    ...lacking(inner).map((less) => ({ ...value, [name]: less })),
  ]);
}

describe('an answer of Placard', () => {
  it('has all members that the SDK uses', () => {
    for (const [path, body] of GOOD) {
      expect(isAnswerTo(path, body), path).to.equal(true);
      for (const less of lacking(body))
        expect(isAnswerTo(path, less), `${path} ${JSON.stringify(less)}`).to.equal(false);
    }
  });

  it('is no JSON of another server', () => {
    for (const body of [null, 'ok', 7, [], { status: 'ok' }, { status: 'rejected' }]) {
      for (const [path] of GOOD) expect(isAnswerTo(path, body), JSON.stringify(body)).to.equal(false);
      expect(isRejection('/events/click', body)).to.equal(false);
    }
  });

  it('is a rejection only for an event, with its reason', () => {
    const body = { status: 'rejected', reason: 'suspicious' };
    expect(isRejection('/events/click', body)).to.equal(true);
    expect(isRejection('/ads/request', body)).to.equal(false);
  });
});
