import { ObjectKind } from '@placard/protos/catalog/v1/catalog.js';
import { expect } from 'chai';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asAppKey, asCampaignId, asPublisherId, type CatalogDelta } from '../pure/index.js';
import {
  makeTestClock,
  makeTestScope,
  openTestCatalogServer,
  testAdvertiser,
  testApp,
  testCampaign,
  testChanges,
  testCreative,
  testHeartbeat,
  testPlacement,
  testPublisher,
  testSnapshot,
  until,
  type TestCatalogServer,
  type TestScope,
} from '../testing/index.js';
import { openCatalog, type CatalogTiming, type OpenCatalog } from './open-catalog.js';

const TIMING: CatalogTiming = {
  silenceMsMax: 5_000,
  restMsMin: 5,
  restMsMax: 20,
  cacheIntervalMs: 5,
  beginMsMax: 5_000,
};
const FULL = {
  publishers: [testPublisher()],
  apps: [testApp()],
  placements: [testPlacement()],
  advertisers: [testAdvertiser()],
  campaigns: [testCampaign()],
  creatives: [testCreative()],
};
/** A port on which no process listens. */
const NOBODY = '127.0.0.1:1';

function nextDelta(catalog: OpenCatalog): Promise<CatalogDelta> {
  return new Promise((resolve) => catalog.onChange(resolve));
}

describe('openCatalog', () => {
  let serverScope: TestScope;
  let scope: TestScope;
  let server: TestCatalogServer;
  let folder: string;

  const open = (timing: Partial<CatalogTiming> = {}, cacheFile: string | null = null): OpenCatalog =>
    openCatalog(scope, { address: server.address, cacheFile, timing: { ...TIMING, ...timing } });

  beforeEach(async () => {
    serverScope = makeTestScope();
    scope = makeTestScope({ name: 'reader' });
    server = await openTestCatalogServer(serverScope);
    folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  });

  afterEach(async () => {
    await scope.close();
    await serverScope.close();
    await rm(folder, { recursive: true });
  });

  it('asks for a snapshot by the name of its process and is ready once the snapshot is complete', async () => {
    const catalog = open();
    const stream = await server.nextStream();
    expect(stream.request).to.deep.equal({ afterVersion: 0n, reader: 'reader' });
    expect(catalog.version).to.equal(0);
    expect(scope.health.components()['catalog']).to.include({ ok: false });
    stream.send(...testSnapshot(7, FULL));
    await catalog.ready();
    expect(catalog.version).to.equal(7);
    expect(catalog.publisher(asPublisherId('pub_sunrise'))).to.deep.equal(testPublisher());
    expect(catalog.appByKey(testApp().appKey)).to.deep.equal(testApp());
    expect(catalog.placement(testApp().id, testPlacement().code)).to.deep.equal(testPlacement());
    expect(catalog.advertiser(testAdvertiser().id)).to.deep.equal(testAdvertiser());
    expect([...catalog.campaigns()]).to.deep.equal([testCampaign()]);
    expect(catalog.creativesOf(testCampaign().id)).to.deep.equal([testCreative()]);
    expect(scope.health.components()['catalog']).to.deep.equal({ ok: true, detail: null });
  });

  it('lets a process begin once a catalog is loaded, and after a limited wait without one', async () => {
    const elsewhere = makeTestScope();
    const hopeless = openCatalog(elsewhere, {
      address: NOBODY,
      cacheFile: null,
      timing: { ...TIMING, beginMsMax: 20 },
    });
    await hopeless.begun();
    expect(hopeless.version).to.equal(0);
    await elsewhere.close();
    const catalog = open();
    const begun = catalog.begun();
    (await server.nextStream()).send(...testSnapshot(7, FULL));
    await begun;
    expect(catalog.version).to.equal(7);
  });

  it('applies a change at once and reports what differs', async () => {
    const catalog = open();
    const stream = await server.nextStream();
    stream.send(...testSnapshot(7, FULL));
    await catalog.ready();
    const delta = nextDelta(catalog);
    const changed = testCampaign({ costNanos: 9_007_199_254_740_993n, countries: ['DE'] });
    stream.send(
      testChanges(
        9,
        { global: { isServingEnabled: false }, campaigns: [changed], creatives: [testCreative()] },
        [
          { kind: ObjectKind.PLACEMENT, id: 'app_sunrise_puzzle/home_banner' },
          { kind: ObjectKind.APP, id: 'app_that_never_was' },
        ],
      ),
    );
    expect(await delta).to.deep.include({
      version: 9,
      isGlobalChanged: true,
      apps: { changed: [], removed: [] },
      placements: { changed: [], removed: [{ appId: 'app_sunrise_puzzle', code: 'home_banner' }] },
      campaigns: { changed: ['cmp_spring'], removed: [] },
      creatives: { changed: [], removed: [] },
    });
    expect(catalog.campaign(changed.id)).to.deep.equal(changed);
    expect(catalog.placementsOf(testApp().id)).to.deep.equal([]);
    expect(catalog.global.isServingEnabled).to.equal(false);
  });

  it('resumes after its last version when the stream breaks, and answers look-ups meanwhile', async () => {
    const catalog = open();
    const first = await server.nextStream();
    first.send(...testSnapshot(7, FULL));
    await catalog.ready();
    first.send(testChanges(8, { campaigns: [testCampaign({ id: 'cmp_two' })] }));
    await until(() => catalog.version === 8);
    first.end();
    const second = await server.nextStream();
    expect(second.request.afterVersion).to.equal(8n);
    expect(catalog.campaign(asCampaignId('cmp_two'))).to.not.equal(undefined);
    const delta = nextDelta(catalog);
    second.send(testHeartbeat(8), testChanges(9, {}, [{ kind: ObjectKind.CAMPAIGN, id: 'cmp_two' }]));
    expect((await delta).campaigns).to.deep.equal({ changed: [], removed: ['cmp_two'] });
  });

  it('replaces the whole catalog by a later snapshot, reports what differs, and keeps equal objects', async () => {
    const catalog = open();
    const first = await server.nextStream();
    first.send(...testSnapshot(7, FULL));
    await catalog.ready();
    const app = catalog.app(testApp().id);
    first.end();
    const second = await server.nextStream();
    const delta = nextDelta(catalog);
    const [start, body, end] = testSnapshot(20, { ...FULL, campaigns: [testCampaign({ id: 'cmp_new' })] });
    second.send(start!, body!);
    await until(() => scope.health.components()['catalog']?.ok === true);
    expect(catalog.campaign(testCampaign().id)).to.not.equal(undefined);
    second.send(end!);
    expect(await delta).to.deep.equal({
      version: 20,
      isGlobalChanged: false,
      publishers: { changed: [], removed: [] },
      apps: { changed: [], removed: [] },
      placements: { changed: [], removed: [] },
      advertisers: { changed: [], removed: [] },
      campaigns: { changed: ['cmp_new'], removed: ['cmp_spring'] },
      creatives: { changed: [], removed: [] },
    });
    expect(catalog.app(testApp().id)).to.equal(app);
    expect(catalog.campaign(testCampaign().id)).to.equal(undefined);
  });

  it('drops an incomplete snapshot when the stream breaks', async () => {
    const catalog = open();
    const first = await server.nextStream();
    first.send(...testSnapshot(7, FULL).slice(0, 2));
    first.end();
    const second = await server.nextStream();
    expect(second.request.afterVersion).to.equal(0n);
    second.send(...testSnapshot(8, { campaigns: [testCampaign({ id: 'cmp_new' })] }));
    await catalog.ready();
    expect([...catalog.campaigns()].map((campaign) => campaign.id)).to.deep.equal(['cmp_new']);
  });

  it('replaces a stream that has gone silent', async () => {
    const catalog = open({ silenceMsMax: 300 });
    const first = await server.nextStream();
    first.send(...testSnapshot(7, FULL));
    await catalog.ready();
    const second = await server.nextStream();
    expect(second.request.afterVersion).to.equal(7n);
  });

  it('asks for a snapshot when the version of the writer is lower than its own', async () => {
    const catalog = open();
    const first = await server.nextStream();
    first.send(...testSnapshot(700, FULL));
    await catalog.ready();
    first.send(testHeartbeat(3));
    const second = await server.nextStream();
    expect(second.request.afterVersion).to.equal(0n);
    second.send(...testSnapshot(3, {}));
    await until(() => catalog.version === 3);
    expect([...catalog.campaigns()]).to.deep.equal([]);
    second.end();
    expect((await server.nextStream()).request.afterVersion).to.equal(3n);
  });

  it('leaves out objects of a newer release that it cannot read', async () => {
    const catalog = open();
    const stream = await server.nextStream();
    stream.send(...testSnapshot(7, FULL));
    await catalog.ready();
    const message = testChanges(8, { creatives: [testCreative()] });
    const object = message.event?.$case === 'changes' ? message.event.value.upserts[0]?.object : undefined;
    if (object?.$case === 'creative') object.value.type = 99 as never;
    stream.send(message);
    await until(() => catalog.version === 8);
    expect(catalog.creativesOf(testCampaign().id)).to.deep.equal([]);
  });

  it('applies one change in which two apps swap their keys', async () => {
    const catalog = open();
    const stream = await server.nextStream();
    const [one, two] = ['app_111111111111111111111111', 'app_222222222222222222222222'];
    const apps = [testApp({ id: 'one', appKey: one }), testApp({ id: 'two', appKey: two })];
    stream.send(...testSnapshot(1, { apps }));
    await catalog.ready();
    stream.send(
      testChanges(2, { apps: [testApp({ id: 'one', appKey: two }), testApp({ id: 'two', appKey: one })] }),
    );
    await until(() => catalog.version === 2);
    expect(catalog.appByKey(asAppKey(one))?.id).to.equal('two');
    expect(catalog.appByKey(asAppKey(two))?.id).to.equal('one');
  });

  it('starts from the last snapshot on disk while console-service is away', async () => {
    const file = join(folder, 'deeper', 'catalog.bin');
    const before = open({}, file);
    const stream = await server.nextStream();
    const campaign = testCampaign({
      budgetDailyNanos: 9_007_199_254_740_993n,
      frequencyCap: { count: 3, period: 'day' },
    });
    stream.send(
      ...testSnapshot(7, { ...FULL, campaigns: [campaign] }),
      testChanges(8, { global: { isServingEnabled: false } }),
    );
    await until(() => before.version === 8);
    await scope.close();

    scope = makeTestScope();
    const after = openCatalog(scope, { address: NOBODY, cacheFile: file, timing: TIMING });
    await after.ready();
    expect(after.version).to.equal(8);
    expect(after.global.isServingEnabled).to.equal(false);
    expect(after.campaign(campaign.id)).to.deep.equal(campaign);
    expect(after.creativesOf(campaign.id)).to.deep.equal([testCreative()]);
    expect(scope.health.components()['catalog']).to.include({ ok: true });
  });

  it('resumes after the version that it loaded from disk', async () => {
    const file = join(folder, 'catalog.bin');
    const before = open({}, file);
    (await server.nextStream()).send(...testSnapshot(7, FULL));
    await before.ready();
    await scope.close();
    scope = makeTestScope();
    open({}, file);
    expect((await server.nextStream()).request.afterVersion).to.equal(7n);
  });

  it('writes the file while it runs, not only when it closes', async () => {
    const file = join(folder, 'catalog.bin');
    const catalog = open({}, file);
    (await server.nextStream()).send(...testSnapshot(7, FULL));
    await catalog.ready();
    await until(() =>
      readFile(file).then(
        () => true,
        () => false,
      ),
    );
  });

  for (const [what, damage] of [
    ['cut off', (file: string) => truncate(file, 40)],
    ['empty', (file: string) => truncate(file, 0)],
    ['something else', (file: string) => writeFile(file, 'this is no catalog at all')],
  ] as const) {
    it(`ignores a file that is ${what}`, async () => {
      const file = join(folder, 'catalog.bin');
      const before = open({}, file);
      (await server.nextStream()).send(...testSnapshot(7, FULL));
      await before.ready();
      await scope.close();
      await damage(file);
      scope = makeTestScope();
      const after = open({}, file);
      expect((await server.nextStream()).request.afterVersion).to.equal(0n);
      expect(after.version).to.equal(0);
    });
  }

  it('shows its version and its age in metrics', async () => {
    await scope.close();
    const clock = makeTestClock(1_000_000);
    scope = makeTestScope({ clock });
    const catalog = open();
    (await server.nextStream()).send(...testSnapshot(7, FULL), testHeartbeat(7));
    await catalog.ready();
    await until(async () => (await scope.metrics.metrics()).includes('placard_catalog_age_seconds 0'));
    clock.advance(90_000);
    const text = await scope.metrics.metrics();
    expect(text).to.include('placard_catalog_version 7').and.include('placard_catalog_age_seconds 90');
  });

  it('rejects `ready` when the process stops before a catalog is loaded', async () => {
    const ready = open().ready();
    await server.nextStream();
    await scope.close();
    const error: unknown = await ready.catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'unavailable' });
  });
});
