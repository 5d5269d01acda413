import { AppError } from '@placard/service-kit';
import { Abandonment } from '@placard/service-kit/grpc';
import { makeTestClock, makeTestRandom, makeTestTimers } from '@placard/service-kit/testing';
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
import { makeRequestAd, type AdCall } from './request-ad.js';
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
  const timers = makeTestTimers();
  const state = {
    session: SESSION as SessionClaims | null,
    verdict: Promise.resolve(true),
    seal: () => 'token',
    /** Milliseconds of the clock of deadlines. */
    machineMs: 0,
    call: { deadlineAt: Infinity, requestId: '-', waitedMs: 0 } as AdCall,
    answers: [] as [string | null, boolean][],
  };
  const report = new ServingReport({ report: () => Promise.resolve() });
  const purse = makePurse({ bank: new LeaseBank(() => NOON), index, clock });
  const requestAd = makeRequestAd({
    sample: { take: () => null, explain: () => undefined },
    catalog,
    index,
    clock,
    caps,
    report,
    ...purse,
    random: makeTestRandom(1),
    openSession: () => state.session,
    traceparent: () => null,
    impressionTokens: { seal: () => state.seal() },
    fraud: { passes: () => state.verdict },
    adTtlMs: AD_TTL_MS,
    deadlineClock: { now: () => state.machineMs },
    timers,
    openFillsMax: 30,
    wary: new WeakSet(),
    onAnswer: (reason, isTest) => state.answers.push([reason, isTest]),
    onDegraded: () => undefined,
  });
  const ask = (request: Partial<AdRequest> = {}) =>
    requestAd({ ...anAdRequest(), ...request }, 'token', state.call).then(
      ({ result }) => (result.kind === 'fill' ? 'fill' : result.noFill.reason),
      (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.publicText}` : String(error)),
    );
  const held = async (): Promise<number> => (await caps.counts(SESSION.sessionId, NOON)).get(UNIT) ?? 0;
  const idOf = async (requestId: string): Promise<string> =>
    (await requestAd(anAdRequest(), 'token', { ...state.call, requestId })).requestId;
  /** Price and slots that are held, of a campaign with one price and a lease of some ads. */
  const filled = (): bigint => {
    const [sent] = purse.wallet.reports(1, true);
    return sent?.report.filledNanos ?? 0n;
  };
  return { state, ask, idOf, held, filled, report, timers };
}

describe('the request id of an ad', () => {
  it('is the id of the HTTP request that asked for it', async () => {
    const id = `req_${'0a'.repeat(16)}`;
    expect(await open().idOf(id)).to.equal(id);
  });

  it('is a fresh one when the caller has no id or an id of another form', async () => {
    const { idOf } = open();
    const ids = await Promise.all(['-', '', 'req_1', `req_${'0A'.repeat(16)}`].map(idOf));
    for (const id of ids) expect(id).to.match(/^req_[0-9a-f]{32}$/);
    expect(new Set(ids).size).to.equal(ids.length);
  });
});

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

describe('a fill', () => {
  it('holds its price and its slots', async () => {
    const { ask, held, filled } = open();
    expect(await ask()).to.equal('fill');
    expect(await held()).to.equal(1);
    expect(filled() > 0n).to.equal(true);
  });

  it('gives price and slots back when its client has left before the answer', async () => {
    const { state, ask, held, filled } = open();
    const abandonment = new Abandonment();
    state.call = { ...state.call, abandonment };
    state.seal = () => {
      abandonment.abandon();
      return 'token';
    };
    expect(await ask()).to.equal('cancelled: The client has left.');
    expect(await held()).to.equal(0);
    expect(filled()).to.equal(0n);
    expect(state.answers).to.deep.equal([]);
  });

  it('gives price and slots back, once, when its answer meets a client that leaves', async () => {
    const { state, ask, held, filled } = open();
    const abandonment = new Abandonment();
    state.call = { ...state.call, abandonment };
    expect(await ask()).to.equal('fill');
    abandonment.abandon();
    expect(filled()).to.equal(0n);
    expect(await held()).to.equal(0);
    state.call = { deadlineAt: Infinity, requestId: '-', waitedMs: 0 };
    expect(await ask()).to.equal('fill');
    const once = filled();
    abandonment.abandon();
    expect(filled()).to.equal(once);
  });

  it('of a test ad gives its slot back too', async () => {
    const { state, ask, held } = open();
    const abandonment = new Abandonment();
    state.call = { ...state.call, abandonment };
    expect(await ask({ isTestMode: true })).to.equal('fill');
    abandonment.abandon();
    expect(await held()).to.equal(0);
  });

  it('gives price and slots back when the time of its placement is over', async () => {
    const { state, ask, held, filled } = open();
    state.seal = () => {
      state.machineMs += CAPPED.requestTimeoutMs;
      return 'token';
    };
    expect(await ask()).to.equal('no_eligible_campaign');
    expect(await held()).to.equal(0);
    expect(filled()).to.equal(0n);
  });

  it('counts the time of its placement from the arrival of the request', async () => {
    const { state, ask } = open();
    state.seal = () => {
      state.machineMs += CAPPED.requestTimeoutMs / 2;
      return 'token';
    };
    expect(await ask()).to.equal('fill');
    state.call = { deadlineAt: Infinity, requestId: '-', waitedMs: CAPPED.requestTimeoutMs / 2 };
    expect(await ask()).to.equal('no_eligible_campaign');
  });
});

describe('an ad request whose ad is not found in time', () => {
  const BEFORE_MS = 100;

  it('is a no-fill before the time of its placement is over, and holds nothing when the ad is found later', async () => {
    const { state, ask, held, filled, timers } = open();
    let decide: (isPassed: boolean) => void = () => undefined;
    state.verdict = new Promise((resolve) => (decide = resolve));
    const asked = ask();
    await timers.advance(CAPPED.requestTimeoutMs - BEFORE_MS);
    expect(state.answers).to.deep.equal([]);
    await timers.advance(BEFORE_MS - 1);
    expect(await asked).to.equal('no_eligible_campaign');
    decide(true);
    await timers.advance(1);
    expect(await held()).to.equal(0);
    expect(filled()).to.equal(0n);
    expect(state.answers).to.deep.equal([['no_eligible_campaign', false]]);
  });

  it('has no timer left after its answer', async () => {
    const { state, ask, timers } = open();
    expect(await ask()).to.equal('fill');
    state.verdict = Promise.reject(new Error('no verdict'));
    expect(await ask()).to.equal('Error: no verdict');
    expect(timers.waitsMs).to.deep.equal([]);
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
