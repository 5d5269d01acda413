import { startProduct, type Product } from '@placard/local';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { DEMO_APP } from './driver/catalog.js';
import { becomes, Phone } from './driver/phone.js';
import {
  listedMetrics,
  namedNodeMetrics,
  PROCESSES,
  shownMetrics,
  type ShownMetric,
} from './observability/metric-list.js';
import { openSpanReceiver, type ReceivedSpan, type SpanReceiver } from './observability/span-receiver.js';

const START_MS_MAX = 120_000;
/** Interval at which spans are sent, in milliseconds. */
const SEND_MS = 100;
const ARRIVAL_MS_MAX = 20_000;

/** All attributes that the spans of a phone's life may have. */
const ATTRIBUTES = [
  'db.operation.name',
  'db.stored_procedure.name',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'messaging.destination.name',
  'messaging.system',
  'placard.ad_request_id',
  'placard.ad_request_ids',
  'placard.items',
  'placard.outcome',
  'placard.request_id',
  'rpc.method',
  'rpc.system.name',
];

describe('a running product is observed', () => {
  let database: TestDatabase;
  let receiver: SpanReceiver;
  let product: Product;

  before('a phone has had its life', async () => {
    [database, receiver] = await Promise.all([openTestDatabase({ migrations: [] }), openSpanReceiver()]);
    const redis = new URL(process.env['TEST_REDIS_URL'] ?? '');
    redis.pathname = '/10';
    product = await startProduct({
      env: {
        DATABASE_URL: database.url,
        REDIS_URL: redis.href,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: String(SEND_MS),
      },
    });
    expect(await becomes(ARRIVAL_MS_MAX, () => livesWell(product.gatewayUrl)), 'a phone is served').to.equal(
      true,
    );
    await becomes(ARRIVAL_MS_MAX, () => Promise.resolve(isWhole(receiver.spans)));
  }).timeout(START_MS_MAX);
  after(async () => {
    await product.stop();
    receiver.close();
    await database.drop();
  }).timeout(START_MS_MAX);

  for (const name of PROCESSES)
    it(`has exactly the metrics of ${name} that docs/metrics.md lists`, async () => {
      const shown = (await metricsOf(product)).get(name) ?? [];
      const own = shown.filter((metric) => metric.name.startsWith('placard_'));
      const listed = listedMetrics().filter(({ processes }) => processes.includes(name));
      expect(signatures(own)).to.deep.equal(signatures(listed));
      expect(shown.map((metric) => metric.name)).to.include.members([...namedNodeMetrics()]);
      for (const metric of own) {
        const labels = listed.find((each) => each.name === metric.name)?.labels;
        expect(labels, metric.name).to.include.members([...metric.labels]);
      }
    });

  it('with traces of an ad request from the gateway to Redis, and to Postgres for its budget lease', () => {
    const request = ['gateway POST /v1/ads/request', 'gateway ServingService/RequestAd'];
    const served = [...request, 'serving-service ServingService/RequestAd'];
    const chains = chainsTo(receiver.spans, ({ name }) => name === 'evalsha cap-claim');
    expect(chains).to.deep.include([
      ...served,
      'serving-service claim caps',
      'serving-service evalsha cap-claim',
    ]);
    const leases = chainsTo(receiver.spans, ({ name }) => name === 'write-leases');
    expect(leases).to.deep.include([
      ...served,
      'serving-service SpendService/ExchangeLeases',
      'events-service SpendService/ExchangeLeases',
      'events-service write-leases',
    ]);
    const frauds = chainsTo(receiver.spans, ({ name }) => name === 'evalsha claim');
    expect(frauds).to.deep.include([
      ...served,
      'serving-service FraudService/JudgeAdRequest',
      'fraud-service FraudService/JudgeAdRequest',
      'fraud-service judge claims',
      'fraud-service evalsha claim',
    ]);
  });

  it('with traces of an impression from the gateway to Postgres, the queue and the ledger', () => {
    const recorded = [
      'gateway POST /v1/events/impression',
      'gateway EventsService/RecordImpression',
      'events-service EventsService/RecordImpression',
    ];
    const chainsOf = (wanted: string) => chainsTo(receiver.spans, ({ name }) => name === wanted);
    const judged = [...recorded, 'events-service judge events'];
    expect(chainsOf('insert-events')).to.deep.include([...judged, 'events-service insert-events']);
    expect(chainsOf('process settlement')).to.deep.include([
      ...judged,
      'events-service send settlement',
      'settlement-worker process settlement',
    ]);
    expect(chainsOf('settle-taken')).to.deep.include([
      ...recorded,
      'settlement-worker settle events',
      'settlement-worker settle-taken',
    ]);
  });

  it('with a link from the impression to the trace of its ad, and the id of the ad up to its booking', () => {
    const { spans } = receiver;
    // Earlier ones may have had no ad, because a process was not connected yet.
    const ad = spans.findLast(
      ({ service, name }) => service === 'gateway' && name === 'POST /v1/ads/request',
    );
    const id = ad?.attributes['placard.request_id'];
    const ofAd = spans.filter(({ attributes }) => attributes['placard.request_id'] === id);
    expect(ofAd.map(({ name }) => name)).to.include.members([
      'POST /v1/ads/request',
      'ServingService/RequestAd',
      'FraudService/JudgeAdRequest',
    ]);
    const about = spans.filter(({ attributes }) => attributes['placard.ad_request_id'] === id);
    expect(about.map(({ name }) => name)).to.have.members([
      'POST /v1/events/impression',
      'EventsService/RecordImpression',
    ]);
    expect(about.flatMap(({ links }) => links)).to.deep.equal([ad?.traceId]);
    const groups = spans.filter(({ attributes }) => attributes['placard.ad_request_ids'] === id);
    expect(groups.map(({ name }) => name)).to.have.members(['judge events', 'settle events']);
  });

  it('with spans that do not identify a phone and contain no money', () => {
    const keys = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect(ATTRIBUTES).to.include.members([...keys]);
  });
});

/** Runs a phone's session, ad and impression; false: some process is not connected to its peers yet. */
async function livesWell(url: string): Promise<boolean> {
  try {
    const phone = await Phone.open(url, DEMO_APP);
    const fill = await phone.fill('banner', { placement: 'home_banner' });
    return (await phone.impression(fill)).status === 200;
  } catch {
    return false;
  }
}

/** Whether the last span of each process has arrived. */
function isWhole(spans: readonly ReceivedSpan[]): boolean {
  const ends = [
    'settle events',
    'process settlement',
    'POST /v1/events/impression',
    'JudgeEvents',
    'send settlement',
  ];
  return ends.every((end) => spans.some(({ name }) => name.endsWith(end)));
}

/** The path from the root of the trace to each matching span. Each step is `process name`. */
function chainsTo(
  spans: readonly ReceivedSpan[],
  isWanted: (span: ReceivedSpan) => boolean,
): readonly (readonly string[])[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const chainOf = (span: ReceivedSpan): string[] => {
    const parent = byId.get(span.parentId);
    return [...(parent === undefined ? [] : chainOf(parent)), `${span.service} ${span.name}`];
  };
  return spans.filter(isWanted).map(chainOf);
}

/** The metrics of each process, from the addresses that the start has printed. */
async function metricsOf(product: Product): Promise<ReadonlyMap<string, readonly ShownMetric[]>> {
  const shown = new Map<string, readonly ShownMetric[]>();
  for (const [, name = '', url = ''] of product
    .output()
    .matchAll(/^\s+(?:metrics\s+)?([a-z-]+)\s+(http:\S+\/metrics)$/gm))
    shown.set(name, shownMetrics(await (await fetch(url)).text()));
  return shown;
}

function signatures(metrics: readonly { readonly name: string; readonly type: string }[]): readonly string[] {
  return metrics.map(({ name, type }) => `${name} ${type}`).sort();
}
