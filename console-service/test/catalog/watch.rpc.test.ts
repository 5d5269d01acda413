import {
  AdFormat,
  CampaignStatus,
  CapPeriod,
  CreativeType,
  FallbackProvider,
  ObjectKind,
  Pacing,
} from '@placard/protos/catalog/v1/catalog.js';
import { expect } from 'chai';
import { EXAMPLE, exampleWith } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';

/**
 * Longest time until a change reaches every reader. Contract: docs/contract/sessions-and-switches.md#changes-reach-everyone.
 */
const CHANGE_MS_MAX = 2_000;
const EMPTY_VERSION = 1;
/** A version that never exists. A reader that has it receives the whole stored catalog. */
const VERSION_OF_NOBODY = 1_000;

/** The changed example in the form for readers. */
const EXPECTED = {
  publisher: {
    id: 'pub_sunrise',
    approved: true,
    servingEnabled: true,
    revenueShareBp: 7_000,
  },
  app: {
    id: 'app_sunrise_puzzle',
    publisherId: 'pub_sunrise',
    appKey: 'app_0123456789abcdefghijABCD',
    packageName: 'com.sunrise.puzzle',
    approved: true,
    blocked: false,
    explained: false,
    servingEnabled: true,
    fallbackEnabled: true,
    language: 'pt',
    category: 'games',
    requestTimeoutMs: 1_500,
    configTtlSeconds: 300,
  },
  placement: {
    appId: 'app_sunrise_puzzle',
    code: 'home_banner',
    format: AdFormat.BANNER,
    paused: false,
    enabled: true,
    disabledByAdmin: false,
    fallbackProvider: FallbackProvider.PARTNER,
    partnerAdUnitId: 'ca-app-unit-1',
    requestTimeoutMs: 1_000,
    frequencyCap: { count: 3, period: CapPeriod.SESSION },
    bannerRefreshSeconds: 30,
  },
  advertiser: {
    id: 'adv_northwind',
    approved: true,
    fundedNanos: 500_000_000_000n,
  },
  campaign: {
    id: 'cmp_spring',
    advertiserId: 'adv_northwind',
    status: CampaignStatus.ACTIVE,
    costNanos: 2_500_000n,
    startsAtMs: BigInt(Date.UTC(2026, 0, 1)),
    endsAtMs: BigInt(Date.UTC(2026, 0, 31, 23)),
    budgetTotalNanos: 200_000_000_000n,
    budgetDailyNanos: 20_000_000_000n,
    pacing: Pacing.EVEN,
    countries: ['US', 'NO'],
    formats: [],
    languages: ['en', 'pt'],
    appIds: [],
    appCategories: [],
    androidVersions: [14],
    frequencyCap: undefined,
  },
  creative: {
    id: 'cr_spring_banner',
    campaignId: 'cmp_spring',
    format: AdFormat.BANNER,
    type: CreativeType.IMAGE,
    url: 'https://cdn.example.com/spring-320x50.png',
    clickUrl: 'https://shop.example.com/spring',
    width: 320,
    height: 50,
    durationSeconds: undefined,
    approved: true,
  },
};

describe('watching the catalog', () => {
  let instance: TestConsole;
  const apply = (file: string, prune = false) =>
    instance.client.applyCatalog({ file, prune, onlyIfEmpty: false });

  beforeEach(async () => {
    instance = await openTestConsole();
  });
  afterEach(() => instance.close());

  it('begins with a snapshot; the empty catalog is version 1 and has only the global switch', async () => {
    expect(await instance.watch(0).snapshot()).to.deep.equal({ version: EMPTY_VERSION, objects: 1 });
  });

  it('sends every field in the units of the readers', async () => {
    await apply(
      exampleWith('language: en', 'language: pt_BR')
        .replace('countries: []', 'countries: [us, NO]')
        .replace('languages: []', 'languages: [EN-us, en, pt-BR]')
        .replace('android_versions: []', 'android_versions: [14]')
        .replace('ends_at: null', 'ends_at: 2026-02-01T00:00:00+01:00'),
    );
    const changes = await instance.watch(EMPTY_VERSION).next();
    const objects = changes.$case === 'changes' ? changes.value.upserts : [];
    for (const [kind, value] of Object.entries(EXPECTED)) {
      expect(objects.find(({ object }) => object?.$case === kind)?.object?.value, kind).to.deep.equal(value);
    }
  });

  it('sends a change within 2 seconds, whichever replica it was made at', async () => {
    const replica = await instance.openReplica();
    const near = instance.watch(0);
    const far = instance.watch(0, replica.grpcPort);
    await Promise.all([near.snapshot(), far.snapshot()]);
    const startedAt = Date.now();
    const { version } = await apply(EXAMPLE);
    for (const watch of [near, far]) {
      const event = await watch.next();
      expect(event.$case === 'changes' && event.value.version).to.equal(BigInt(version));
    }
    expect(Date.now() - startedAt).to.be.below(CHANGE_MS_MAX);
  });

  it('finds a change whose signal was lost', async () => {
    const watch = instance.watch(0);
    await watch.snapshot();
    const startedAt = Date.now();
    // Change the catalog without a signal.
    await instance.db.pool.query(`
      WITH raised AS (UPDATE catalog.counter SET version = version + 1 RETURNING version)
      UPDATE catalog.objects SET fields = '{"serving_enabled": false}', version = raised.version FROM raised
      WHERE kind = 'global'`);
    const event = await watch.next();
    expect(event.$case === 'changes' && event.value.upserts).to.deep.equal([
      { object: { $case: 'global', value: { servingEnabled: false } } },
    ]);
    expect(Date.now() - startedAt).to.be.below(CHANGE_MS_MAX);
  });

  it('resumes after the version that a reader has, including removals', async () => {
    const first = await apply(EXAMPLE);
    await apply('publishers: []\nadvertisers: [{ id: adv_northwind, approved: false }]', true);
    const event = await instance.watch(first.version).next();
    expect(event.$case).to.equal('changes');
    if (event.$case !== 'changes') return;
    expect(event.value.version).to.equal(BigInt(first.version + 1));
    expect(event.value.upserts.map(({ object }) => object?.$case)).to.deep.equal(['advertiser']);
    expect(event.value.deletions).to.have.deep.members([
      { kind: ObjectKind.PUBLISHER, id: 'pub_sunrise' },
      { kind: ObjectKind.APP, id: 'app_sunrise_puzzle' },
      { kind: ObjectKind.PLACEMENT, id: 'app_sunrise_puzzle/home_banner' },
    ]);
  });

  it('resumes at a console-service that was started later', async () => {
    const first = await apply(EXAMPLE);
    await apply('publishers: []', true);
    const replica = await instance.openReplica();
    const event = await instance.watch(first.version, replica.grpcPort).next();
    expect(event.$case === 'changes' && event.value.deletions).to.have.length(3);
  });

  it('confirms at once to a reader that it has everything, and then sends heartbeats', async () => {
    const { version } = await apply(EXAMPLE);
    const watch = instance.watch(version);
    expect(await watch.nextHeartbeat()).to.equal(BigInt(version));
    expect(await watch.nextHeartbeat()).to.equal(BigInt(version));
  });

  it('sends a snapshot to a reader whose version is higher than the newest one', async () => {
    const { version } = await apply(EXAMPLE);
    expect(await instance.watch(VERSION_OF_NOBODY).snapshot()).to.deep.equal({
      version,
      objects: 7,
    });
  });

  it('leaves removed objects out of a snapshot', async () => {
    await apply(EXAMPLE);
    await apply('publishers: []\nadvertisers: []', true);
    expect(await instance.watch(VERSION_OF_NOBODY).snapshot()).to.deep.equal({ version: 3, objects: 1 });
  });

  it('serves readers while the database is away', async () => {
    await apply(EXAMPLE);
    await instance.watch(VERSION_OF_NOBODY).snapshot();
    await instance.db.pool.query('ALTER TABLE catalog.counter RENAME TO away');
    expect(await instance.watch(0).snapshot()).to.deep.equal({ version: 2, objects: 7 });
  });

  it('sends a change of very many objects as a snapshot, so that readers put it into force at once', async () => {
    const watch = instance.watch(0);
    await watch.snapshot();
    const campaigns = Array.from({ length: 6_000 }, (_, index) => ({
      id: `cmp_${index}`,
      name: 'A',
      bid_cpm: 1,
    }));
    await apply(JSON.stringify({ advertisers: [{ id: 'adv_a', name: 'A', campaigns }] }));
    expect(await watch.snapshot()).to.deep.equal({ version: 2, objects: 6_002 });
  });
});
