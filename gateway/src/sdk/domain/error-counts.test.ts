import { HOUR_MS, hourOf } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { ERROR_KINDS_MAX, ErrorCounts } from './error-counts.js';

const NOON = Date.UTC(2026, 4, 1, 12);
const KEY = 'app_0123456789abcdefghijABCD';
const EXPIRED = { status: 401, code: 'session_expired' };

describe('the integration errors of the SDK API', () => {
  it('are counted by hour, app key, status and code', () => {
    const counts = new ErrorCounts();
    counts.add(EXPIRED, KEY, NOON);
    counts.add(EXPIRED, KEY, NOON + 1);
    counts.add(EXPIRED, KEY, NOON + HOUR_MS);
    counts.add({ status: 422, code: 'validation_failed' }, KEY, NOON);
    expect(counts.take()).to.deep.equal([
      { hour: hourOf(NOON), appKey: KEY, error: '401.session_expired', count: 2 },
      { hour: hourOf(NOON) + 1, appKey: KEY, error: '401.session_expired', count: 1 },
      { hour: hourOf(NOON), appKey: KEY, error: '422.validation_failed', count: 1 },
    ]);
    expect(counts.take()).to.deep.equal([]);
  });

  it('are not fills, rejections of events, too large bodies or faults of the product', () => {
    const counts = new ErrorCounts();
    for (const [status, code] of [
      [200, 'fill'],
      [409, 'duplicate'],
      [413, 'validation_failed'],
      [500, 'server_error'],
    ] as const)
      counts.add({ status, code }, KEY, NOON);
    expect(counts.take()).to.deep.equal([]);
  });

  it('count without an app when the request names no app key, and beyond the bound of kinds', () => {
    const counts = new ErrorCounts();
    for (const appKey of [undefined, null, 7, '', 'app_short', `${KEY}x`, { app: KEY }])
      counts.add(EXPIRED, appKey, NOON);
    for (let made = 0; made < ERROR_KINDS_MAX + 3; made += 1)
      counts.add(EXPIRED, `app_${String(made).padStart(24, '0')}`, NOON);
    const taken = counts.take();
    expect(taken.find(({ appKey }) => appKey === '')?.count).to.equal(7 + 4);
    expect(taken).to.have.length(ERROR_KINDS_MAX);
  });
});
