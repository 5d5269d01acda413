import { appError, type AppError } from '@placard/service-kit';
import {
  HOUR_MS,
  asAppId,
  asPlacementCode,
  asSessionId,
  hourOf,
  type CatalogReader,
  type SessionClaims,
} from '@placard/service-kit/pure';
import { makeTestCatalog, makeTestClock } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { Fallback } from '../domain/fallback.js';
import { makeRecordFallback } from './record-fallback.js';

const NOW = 1_800_000_000_000;
const session: SessionClaims = {
  sessionId: asSessionId('ses_1'),
  appId: asAppId('app_sunrise_puzzle'),
  packageName: 'com.sunrise.puzzle',
  isTest: false,
  issuedAtMs: NOW,
  expiresAtMs: NOW + HOUR_MS,
};

async function record(
  options: {
    session?: SessionClaims | null;
    placement?: string;
    atMs?: number;
    catalog?: CatalogReader;
    country?: string | null;
    isAway?: boolean;
  } = {},
): Promise<{ code: string; counted: readonly Fallback[]; reasons: readonly string[] }> {
  const counted: Fallback[] = [];
  const reasons: string[] = [];
  const recordFallback = makeRecordFallback({
    tokens: { open: () => (options.session === undefined ? session : options.session) },
    catalog: options.catalog ?? makeTestCatalog(),
    clock: makeTestClock(options.atMs ?? NOW),
    groups: {
      add: (fallback) => {
        if (options.isAway === true) return Promise.reject(appError('unavailable', 'Postgres is away.'));
        counted.push(fallback);
        return Promise.resolve('counted' as const);
      },
    },
    onCounted: (reason) => reasons.push(reason),
  });
  try {
    await recordFallback({
      sessionToken: 'x',
      placement: asPlacementCode(options.placement ?? 'home_banner'),
      reason: 'timeout',
      country: options.country ?? null,
    });
    return { code: 'accepted', counted, reasons };
  } catch (error) {
    return { code: (error as AppError).code, counted, reasons };
  }
}

describe('recording a fallback', () => {
  it('counts by hour, place, country of the request and reason, and stores nothing about the session', async () => {
    const fallback = {
      hour: hourOf(NOW),
      publisherId: 'pub_sunrise',
      appId: 'app_sunrise_puzzle',
      placement: 'home_banner',
      format: 'banner',
      country: 'SE',
      reason: 'timeout',
    };
    expect(await record({ country: 'SE' })).to.deep.equal({
      code: 'accepted',
      counted: [fallback],
      reasons: ['timeout'],
    });
    expect((await record({ country: null })).counted).to.deep.equal([{ ...fallback, country: '' }]);
  });

  it('is refused while it cannot be counted', async () => {
    expect(await record({ isAway: true })).to.deep.equal({ code: 'unavailable', counted: [], reasons: [] });
  });

  it('checks the session, then the app, then the placement', async () => {
    const unknownApp = { ...session, appId: asAppId('app_gone') };
    const cases: readonly [options: Parameters<typeof record>[0], code: string][] = [
      [{ session: null, placement: 'nowhere' }, 'invalid_session'],
      [{ atMs: NOW + HOUR_MS, session: unknownApp }, 'session_expired'],
      [{ session: unknownApp, placement: 'nowhere' }, 'invalid_app_key'],
      [{ placement: 'nowhere' }, 'placement_not_found'],
      [{ placement: '' }, 'placement_not_found'],
      [{ atMs: NOW + HOUR_MS - 1 }, 'accepted'],
    ];
    for (const [options, code] of cases) expect((await record(options)).code).to.equal(code);
  });

  it('checks a test session in the same way and records nothing', async () => {
    const test = { ...session, isTest: true };
    expect(await record({ session: test })).to.deep.equal({ code: 'accepted', counted: [], reasons: [] });
    expect((await record({ session: test, placement: 'nowhere' })).code).to.equal('placement_not_found');
  });

  it('is unavailable before the first load of the catalog', async () => {
    const catalog = { ...makeTestCatalog(), version: 0, app: () => undefined } as CatalogReader;
    expect((await record({ catalog })).code).to.equal('unavailable');
  });
});
