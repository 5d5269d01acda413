import { ExplainServiceService, type ExplainedRequest } from '@placard/protos/explain/v1/explain.js';
import { openGrpcClient, openGrpcServer, type RpcClient } from '@placard/service-kit/grpc';
import { codeOf, makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { AdFormat, CapPeriod } from '@placard/protos/catalog/v1/catalog.js';
import { asCampaignId, DAY_MS, HOUR_MS, hourOf, MINUTE_MS, minuteOf } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { implementExplainService } from '../../src/explain/rpc/explain.js';
import { openExplanationStore } from '../../src/explain/store/explanations.pg.js';
import { makeGetExplanation } from '../../src/explain/usecase/get-explanation.js';
import { makeGetFunnel } from '../../src/explain/usecase/get-funnel.js';
import { makeRecordRequests, REQUESTS_MAX } from '../../src/explain/usecase/record-requests.js';
import type { FillCount, LossCount } from '../../src/reports/store/counts.js';
import { makeReportServing } from '../../src/reports/usecase/report-serving.js';
import { openBed, openStores, send, type Bed } from '../support/bed.js';

const PROBE = asCampaignId('cmp_spring');
/** The full hour of the start. */
const NOON = hourOf(Date.now()) * HOUR_MS;
const HOUR = hourOf(NOON);
const REQUEST_ID = `req_${'0a'.repeat(16)}`;

describe('explanations', () => {
  let bed: Bed;
  let scope: TestScope;
  let client: RpcClient<typeof ExplainServiceService>;
  let sequence = 0n;

  beforeEach(async () => {
    bed = await openBed();
    scope = makeTestScope();
    const store = openExplanationStore(bed.pool);
    const service = implementExplainService({
      recordRequests: makeRecordRequests(store),
      getFunnel: makeGetFunnel(store),
      getExplanation: makeGetExplanation(store),
    });
    const { port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services: [service] });
    const to = { address: `127.0.0.1:${port}`, name: 'events-service', budgetMs: 10_000 };
    client = openGrpcClient(scope, ExplainServiceService, to);
  });
  afterEach(async () => {
    await scope.close();
    await bed.drop();
  });

  const report = (losses: readonly LossCount[], fills: readonly FillCount[] = [], name = (sequence += 1n)) =>
    makeReportServing(openStores(bed.pool).counts)({
      name: { reporterId: 'replica', sequence: name },
      requests: [],
      fills,
      traffic: [],
      losses,
    });
  const loss = (step: string, requests: number, changes: Partial<LossCount> = {}): LossCount => ({
    hour: HOUR,
    campaignId: PROBE,
    step,
    rival: '',
    requests: BigInt(requests),
    samples: BigInt(requests / 100),
    ...changes,
  });
  const funnel = async (fromMs = NOON, toMs = NOON + HOUR_MS) =>
    (await client.getFunnel({ campaignId: PROBE, fromMs: BigInt(fromMs), toMs: BigInt(toMs) })).hours;

  it('add up the lost requests of a campaign by hour, step and winner', async () => {
    await report([loss('country', 200), loss('country', 100), loss('outbid', 100, { rival: 'cmp_b' })]);
    await report([
      loss('country', 500),
      loss('outbid', 300, { rival: 'cmp_c' }),
      loss('cap', 100, { hour: HOUR + 1 }),
      loss('status', 900, { campaignId: asCampaignId('cmp_other') }),
    ]);
    const hours = await funnel(NOON, NOON + 2 * HOUR_MS);
    expect(hours.map(({ hour }) => Number(hour))).to.deep.equal([HOUR, HOUR + 1]);
    expect(hours[0]?.losses).to.deep.equal([
      { step: 'country', rival: '', requests: 800n, samples: 8n },
      { step: 'outbid', rival: 'cmp_b', requests: 100n, samples: 1n },
      { step: 'outbid', rival: 'cmp_c', requests: 300n, samples: 3n },
    ]);
    expect((await funnel()).map(({ hour }) => Number(hour))).to.deep.equal([HOUR]);
  });

  it('count a repeated report once', async () => {
    await report([loss('country', 100)], [], 7n);
    await report([loss('country', 100)], [], 7n);
    expect((await funnel())[0]?.losses).to.deep.equal([
      { step: 'country', rival: '', requests: 100n, samples: 1n },
    ]);
  });

  it('have the fills, impressions and clicks of the report', async () => {
    bed.clock.set(NOON + MINUTE_MS);
    const claims = bed.fill();
    const { publisherId, appId, placement, format, advertiserId, campaignId, creativeId } = claims;
    const fill = {
      publisherId,
      appId,
      placement,
      format,
      country: 'AT',
      advertiserId,
      campaignId,
      creativeId,
    };
    const minute = minuteOf(NOON);
    await report([], [{ ...fill, minute, count: 3n, reservedNanos: 0n, expiresAtMs: 0 }]);
    await send(bed.instance(), 'impression', claims);
    await bed.settle();
    const [hour] = await funnel();
    expect(hour).to.deep.include({ fills: 3n, impressions: 1n, clicks: 0n, losses: [] });
  });

  it('are empty for a campaign without any, and refuse a range that ends before it begins', async () => {
    expect(await funnel()).to.deep.equal([]);
    expect(await codeOf(funnel(NOON, NOON - 1))).to.equal('invalid_argument');
  });

  const explained = (changes: Partial<ExplainedRequest> = {}): ExplainedRequest => ({
    requestId: REQUEST_ID,
    atMs: BigInt(NOON),
    appId: 'app_puzzle',
    placement: 'home_banner',
    format: AdFormat.BANNER,
    result: 'fill',
    winner: 'cmp_b',
    candidates: [
      {
        campaignId: PROBE,
        lostAt: 'outbid',
        why: 'cmp_b won with a higher or equal bid.',
        costNanos: 2_500_000n,
        budgetTotalNanos: undefined,
        budgetTotalLeftNanos: undefined,
        budgetDailyNanos: 100n,
        budgetDailyLeftNanos: 40n,
        cap: { count: 3, period: CapPeriod.DAY },
        capUsed: 2,
      },
    ],
    candidateCount: 2,
    ...changes,
  });

  it('of a request are kept as they were first reported', async () => {
    await client.recordRequests({ requests: [explained()] });
    await client.recordRequests({ requests: [explained({ result: 'no_eligible_campaign' })] });
    expect((await client.getRequest({ requestId: REQUEST_ID })).request).to.deep.equal(explained());
  });

  it('of a request that was not kept are not found', async () => {
    expect(await codeOf(client.getRequest({ requestId: REQUEST_ID }))).to.equal('not_found');
    expect(await codeOf(client.getRequest({ requestId: 'req_1' }))).to.equal('invalid_argument');
  });

  it('are refused when a call has too many, or one has no request id', async () => {
    const many = Array.from({ length: REQUESTS_MAX + 1 }, () => explained());
    expect(await codeOf(client.recordRequests({ requests: many }))).to.equal('invalid_argument');
    const unnamed = [explained(), explained({ requestId: '' })];
    expect(await codeOf(client.recordRequests({ requests: unnamed }))).to.equal('invalid_argument');
    expect(await codeOf(client.getRequest({ requestId: REQUEST_ID }))).to.equal('not_found');
  });

  it('are deleted when they are no longer kept', async () => {
    const nowMs = Date.now();
    const store = openExplanationStore(bed.pool);
    await report([
      loss('country', 100, { hour: hourOf(nowMs) }),
      loss('country', 100, { hour: hourOf(nowMs - 2 * DAY_MS) }),
    ]);
    const old = `req_${'0b'.repeat(16)}`;
    await client.recordRequests({
      requests: [
        explained({ atMs: BigInt(nowMs) }),
        explained({ requestId: old, atMs: BigInt(nowMs - 2 * DAY_MS) }),
      ],
    });
    await store.prune({ lossesSeconds: 86_400, requestsSeconds: 86_400 });
    expect((await funnel(nowMs - 3 * DAY_MS, nowMs + HOUR_MS)).length).to.equal(1);
    expect(await codeOf(client.getRequest({ requestId: REQUEST_ID }))).to.equal(null);
    expect(await codeOf(client.getRequest({ requestId: old }))).to.equal('not_found');
  });
});
