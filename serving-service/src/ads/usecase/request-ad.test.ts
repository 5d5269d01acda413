import { AppError } from '@placard/service-kit';
import { makeTestClock, makeTestRandom } from '@placard/service-kit/testing';
import {
  asAppId,
  asAppKey,
  asPlacementCode,
  asSessionId,
  type CatalogObjects,
  type SessionClaims,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { makePurse } from '../../../test/support/exchanger.js';
import { LeaseBank } from '../../../test/support/lease-bank.js';
import { makeMemoryCaps } from '../../../test/support/memory-stores.js';
import { aCatalog, AD_TTL_MS, anAdRequest, anApp, aPlacement, NOON } from '../../../test/support/world.js';
import { NO_COUNTS, placementUnit } from '../../caps/domain/caps.js';
import type { AdRequest } from '../../domain/ad-request.js';
import { CampaignIndex } from '../../selection/domain/campaign-index.js';
import { makeRequestAd } from './request-ad.js';
import { ServingReport } from './serving-report.js';

const CAPPED = aPlacement({ frequencyCap: { count: 100, period: 'session' } });
const UNIT = placementUnit(CAPPED.code);
const SESSION: SessionClaims = {
  sessionId: asSessionId('ses_1'),
  appId: asAppId('app_puzzle'),
  packageName: anApp().packageName,
  isTest: false,
  issuedAtMs: NOON - 1,
  expiresAtMs: NOON + 1,
};

/** A serving-service whose parts fail as a test sets it. */
function open(changes: Partial<CatalogObjects> = {}) {
  const catalog = aCatalog({ placements: [CAPPED], ...changes });
  const index = CampaignIndex.of(catalog);
  const clock = makeTestClock(NOON);
  const caps = makeMemoryCaps(NO_COUNTS);
  const state = {
    session: SESSION as SessionClaims | null,
    verdict: Promise.resolve(true),
    seal: () => 'token',
    answers: [] as [string | null, boolean][],
  };
  const report = new ServingReport({ report: () => Promise.resolve() });
  const requestAd = makeRequestAd({
    catalog,
    index,
    clock,
    caps,
    report,
    ...makePurse({ bank: new LeaseBank(() => NOON), index, clock }),
    random: makeTestRandom(1),
    openSession: () => state.session,
    impressionTokens: { seal: () => state.seal() },
    fraud: { passes: () => state.verdict },
    adTtlMs: AD_TTL_MS,
    openFillsMax: 30,
    wary: new WeakSet(),
    onAnswer: (reason, isTest) => state.answers.push([reason, isTest]),
    onDegraded: () => undefined,
  });
  const ask = (request: Partial<AdRequest> = {}) =>
    requestAd({ ...anAdRequest(), ...request }, 'token', { deadlineAt: Infinity }).then(
      ({ result }) => (result.kind === 'fill' ? 'fill' : result.noFill.reason),
      (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.publicText}` : String(error)),
    );
  const held = async (): Promise<number> => (await caps.counts(SESSION.sessionId, NOON)).get(UNIT) ?? 0;
  return { state, ask, held, report };
}

describe('a test ad', () => {
  it('takes a slot of its placement’s cap, and is answered as a test', async () => {
    const { state, ask, held, report } = open();
    expect(await ask({ isTestMode: true })).to.equal('fill');
    expect(await held()).to.equal(1);
    expect(state.answers).to.deep.equal([[null, true]]);
    expect(report.waitingRows, 'nothing of it is reported').to.equal(0);
  });

  it('leaves no slot taken when its token cannot be sealed', async () => {
    const { state, ask, held } = open();
    state.seal = () => {
      throw new Error('no key');
    };
    expect(await ask({ isTestMode: true })).to.equal('Error: no key');
    expect(await held()).to.equal(0);
    expect(state.answers).to.deep.equal([]);
  });

  it('leaves no slot taken when the fraud cap refuses it or there is no verdict', async () => {
    const { state, ask, held } = open();
    state.verdict = Promise.resolve(false);
    expect(await ask({ isTestMode: true })).to.equal('no_eligible_campaign');
    expect(await held()).to.equal(0);
    state.verdict = Promise.reject(new Error('no verdict'));
    expect(await ask({ isTestMode: true })).to.equal('Error: no verdict');
    expect(await held()).to.equal(0);
  });
});

describe('an ad request that is an error', () => {
  const faults: readonly (readonly [
    said: string,
    change: Partial<AdRequest>,
    session?: Partial<SessionClaims> | null,
    objects?: Partial<CatalogObjects>,
  ])[] = [
    ['invalid_session: The session token is not valid for this app. Initialize again.', {}, null],
    [
      'invalid_session: The session token is not valid for this app. Initialize again.',
      {},
      { appId: asAppId('app_other') },
    ],
    ['session_expired: The session has expired. Initialize again.', {}, { expiresAtMs: NOON }],
    ['invalid_app_key: The app key is unknown.', { appKey: asAppKey('app_000000000000000000000000') }],
    ['invalid_app_key: The app key is unknown.', {}, {}, { publishers: [] }],
    [
      'package_mismatch: The package name is not the one that the app is registered with.',
      {},
      { packageName: 'com.other' },
    ],
    ['app_not_approved: The app is not approved yet.', {}, {}, { apps: [anApp({ isApproved: false })] }],
    [
      'placement_not_found: The app has no placement with this code.',
      { placement: asPlacementCode('nowhere') },
    ],
    ['format_mismatch: The placement has another format.', { format: 'rewarded' }],
  ];
  for (const [said, change, session = {}, objects = {}] of faults) {
    it(`says ${said}`, async () => {
      const { state, ask } = open(objects);
      state.session = session === null ? null : { ...SESSION, ...session };
      expect(await ask(change)).to.equal(said);
      expect(state.answers).to.deep.equal([]);
    });
  }
});
