import type { AdFormat } from '@placard/protos/catalog/v1/catalog.js';
import { EventVerdict, FallbackReason, LeaseVerdict, ReportKey } from '@placard/protos/events/v1/events.js';
import { FillFate } from '@placard/protos/serving/v1/serving.js';
import type { AppError } from '@placard/service-kit';
import { makeSessionTokens, parseKeyRing } from '@placard/service-kit/tokens';
import { HOUR_MS, MINUTE_MS, asAppId, asSessionId, minuteOf } from '@placard/service-kit/pure';
import { codeOf, testPlacement, until } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openBed, type Bed } from './support/bed.js';
import { KEYS, openRunning, type Running } from './support/running.js';

describe('events-service on the wire', () => {
  let bed: Bed;
  let running: Running;
  before(async () => {
    bed = await openBed();
  });
  after(() => bed.drop());
  beforeEach(async () => {
    running = await openRunning(bed);
  });
  afterEach(() => running.close());

  it('an accepted impression is sent to serving-service, settled by the worker and booked in the ledger', async () => {
    const { events, ledger, reports } = await running.open();
    await running.openWorker();
    const claims = bed.fill();
    const request = await running.requestOf(claims);
    expect((await events.recordImpression(request)).verdict).to.equal(EventVerdict.ACCEPTED);
    expect((await events.recordImpression(request)).verdict).to.equal(EventVerdict.DUPLICATE);
    await until(() => running.outcomes.length === 1);
    expect(running.outcomes[0]).to.include({
      requestId: claims.requestId,
      fate: FillFate.SHOWN,
      costNanos: 2_500_000n,
      test: false,
    });
    await until(() => running.isSettled(claims));
    expect((await events.recordClick(request)).verdict).to.equal(EventVerdict.ACCEPTED);
    const { ok, checks } = await ledger.verifyLedger({
      wait: true,
      funds: [],
      publishers: [],
      fundsOnly: false,
    });
    expect(checks.filter((check) => !check.ok)).to.deep.equal([]);
    expect(ok).to.equal(true);
    const { accounts, sumNanos } = await ledger.listBalances({ advertiserIds: [], publisherIds: [] });
    expect(sumNanos).to.equal(0n);
    expect(accounts[0]).to.include({ id: 'adv_northwind', balanceNanos: -2_500_000n });
    const now = BigInt(Date.now());
    const report = await reports.getReport({
      by: [ReportKey.CAMPAIGN],
      fromMs: now - 3_600_000n,
      toMs: now,
      filters: [],
      days: [],
    });
    expect(report.rows[0]).to.deep.include({
      keys: ['cmp_spring'],
      impressions: 1n,
      clicks: 1n,
      rejected: { duplicate: 1n },
    });
    expect(report.rows[0]?.requests).to.equal(undefined);
  });

  it('readable rejections reach the suspicious-event log, and a suspicious impression returns its money', async () => {
    const { events } = await running.open();
    const claims = bed.fill({ placement: testPlacement({ code: 'greedy' }).code });
    expect((await events.recordImpression(await running.requestOf(claims))).verdict).to.equal(
      EventVerdict.SUSPICIOUS,
    );
    expect((await events.recordClick(await running.requestOf(claims))).verdict).to.equal(
      EventVerdict.NO_IMPRESSION,
    );
    for (const impressionToken of ['blah', 'a.b.c', '..', ' ', 'A'.repeat(2_048), '🙂']) {
      const { verdict } = await events.recordImpression({ requestId: claims.requestId, impressionToken });
      expect(verdict).to.equal(EventVerdict.INVALID_TOKEN);
    }
    await until(() => running.outcomes.length === 1);
    expect(running.outcomes[0]?.fate).to.equal(FillFate.SUSPICIOUS);
    await until(() => running.suspicious.length === 2);
    expect(running.suspicious.map(({ rule, event, placement }) => [rule, event, placement])).to.deep.equal([
      ['session_impressions_per_hour', 'impression', 'greedy'],
      ['no_impression', 'click', 'greedy'],
    ]);
  });

  it('a session token is not accepted as an impression token, nor the reverse', async () => {
    const { events } = await running.open();
    const sessions = makeSessionTokens(parseKeyRing(KEYS.SESSION_TOKEN_KEYS));
    const sessionToken = sessions.seal({
      sessionId: asSessionId('ses_1'),
      appId: asAppId('app_sunrise_puzzle'),
      packageName: 'com.sunrise.puzzle',
      isTest: false,
      issuedAtMs: Date.now(),
      expiresAtMs: Date.now() + HOUR_MS,
    });
    const claims = bed.fill();
    const wrong = await events.recordImpression({
      requestId: claims.requestId,
      impressionToken: sessionToken,
    });
    expect(wrong.verdict).to.equal(EventVerdict.INVALID_TOKEN);
    const fallback = { placement: 'home_banner', reason: FallbackReason.NO_FILL, country: 'SE' };
    const { impressionToken } = await running.requestOf(claims);
    const refused = await events
      .recordFallback({ ...fallback, sessionToken: impressionToken })
      .catch((error: unknown) => error);
    expect((refused as AppError).code).to.equal('invalid_session');
    await until(async () => {
      const answer = await events.recordFallback({ ...fallback, sessionToken }).catch(() => null);
      return answer !== null;
    });
    // A reason of a newer gateway. Contract: docs/contract/newer-values.md#between-services.
    await events.recordFallback({ ...fallback, sessionToken, reason: 999 as FallbackReason });
    const { rows } = await bed.pool.query(
      'SELECT country, reason, fallbacks FROM stats.fallback_country_hour ORDER BY reason',
    );
    expect(rows).to.deep.equal([
      { country: 'SE', reason: 'error', fallbacks: 1n },
      { country: 'SE', reason: 'no_fill', fallbacks: 1n },
    ]);
    const stored = await bed.pool.query("SELECT 1 FROM events.event WHERE type = 'fallback'");
    expect(stored.rowCount).to.equal(0);
  });

  it('an impression fails while fraud-service is down, and is accepted when it is sent again later', async () => {
    const { events } = await running.open();
    const request = await running.requestOf(bed.fill());
    running.isFraudDown = true;
    const failure = await events.recordImpression(request).catch((error: unknown) => error);
    expect((failure as AppError).code).to.equal('unavailable');
    running.isFraudDown = false;
    expect((await events.recordImpression(request)).verdict).to.equal(EventVerdict.ACCEPTED);
  });

  it('serving-service exchanges leases, reports what it counted and asks for the learned traffic', async () => {
    const { spend, reports } = await running.open();
    const nowMs = Date.now();
    await spend.reportServing({
      reporterId: 'replica',
      sequence: 1n,
      requests: [],
      fills: [],
      traffic: [],
      losses: [],
    });
    // A format of a newer serving-service, which repeats its counts. Contract: docs/contract/newer-values.md.
    const newer = { halfHour: 1n, appCategory: '', format: 999 as AdFormat, requests: 1n };
    const counts = {
      reporterId: 'replica',
      sequence: 2n,
      requests: [],
      fills: [],
      traffic: [newer],
      losses: [],
    };
    expect(await codeOf(spend.reportServing(counts))).to.equal('invalid_argument');
    const unknown = { by: [999 as ReportKey], fromMs: 0n, toMs: 1n, filters: [], days: [] };
    expect(await codeOf(reports.getReport(unknown))).to.equal('invalid_argument');
    expect(await spend.getTrafficCurves({})).to.deep.equal({ curves: [] });
    const want = {
      advertiserId: 'adv_new',
      campaignId: 'cmp_new',
      minute: BigInt(minuteOf(nowMs)),
      costNanos: 10n,
      grantedMaxNanos: 100n,
      totalLimitNanos: 35n,
      dailyLimitNanos: undefined,
      fundedNanos: 1_000n,
      expiresAtMs: BigInt(nowMs + 31 * MINUTE_MS),
      pace: undefined,
    };
    const exchange = { run: 'replica', atMs: BigInt(nowMs), reports: [], wants: [want], peeks: [want] };
    const answers = await spend.exchangeLeases(exchange);
    expect(answers.wants).to.deep.equal([
      {
        verdict: LeaseVerdict.GRANTED,
        grantedNanos: 30n,
        isScarce: true,
        anchor: undefined,
        closedFills: undefined,
        totalLeftNanos: 5n,
        dailyLeftNanos: undefined,
      },
    ]);
    expect(answers.peeks.map(({ verdict }) => verdict)).to.deep.equal([LeaseVerdict.TOTAL]);
    const failure = await spend.exchangeLeases({ ...exchange, run: '' }).catch((error: unknown) => error);
    expect((failure as AppError).code).to.equal('invalid_argument');
  });
});
