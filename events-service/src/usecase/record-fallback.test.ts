import type { AppError } from '@placard/service-kit';
import {
  HOUR_MS,
  asAppId,
  asSessionId,
  type CatalogReader,
  type SessionClaims,
} from '@placard/service-kit/pure';
import { makeTestCatalog, makeTestClock, makeTestRandom } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { EventRow } from '../domain/event-row.js';
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
  } = {},
): Promise<{ code: string; rows: readonly EventRow[] }> {
  const rows: EventRow[] = [];
  const recordFallback = makeRecordFallback({
    tokens: { open: () => Promise.resolve(options.session === undefined ? session : options.session) },
    catalog: options.catalog ?? makeTestCatalog(),
    clock: makeTestClock(options.atMs ?? NOW),
    random: makeTestRandom(1),
    groups: {
      add: (row) => {
        rows.push(row);
        return Promise.resolve('stored' as const);
      },
    },
  });
  try {
    await recordFallback({
      sessionToken: 'x',
      placement: options.placement ?? 'home_banner',
      reason: 'timeout',
    });
    return { code: 'accepted', rows };
  } catch (error) {
    return { code: (error as AppError).code, rows };
  }
}

describe('recording a fallback', () => {
  it('stores who fell back where and why, free of charge', async () => {
    const { code, rows } = await record();
    expect(code).to.equal('accepted');
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({
      type: 'fallback',
      fallbackReason: 'timeout',
      publisherId: 'pub_sunrise',
      appId: 'app_sunrise_puzzle',
      placement: 'home_banner',
      format: 'banner',
      costNanos: 0n,
      campaignId: null,
    });
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

  it('answers a test session after the same checks and records nothing', async () => {
    const test = { ...session, isTest: true };
    expect(await record({ session: test })).to.deep.equal({ code: 'accepted', rows: [] });
    expect((await record({ session: test, placement: 'nowhere' })).code).to.equal('placement_not_found');
  });

  it('before the first load of the catalog it says that it cannot know', async () => {
    const catalog = { ...makeTestCatalog(), version: 0, app: () => undefined } as CatalogReader;
    expect((await record({ catalog })).code).to.equal('unavailable');
  });
});
