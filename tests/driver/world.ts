import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { nanos } from './books.js';
import type { Balances, Report, ReportRow, Verification } from './books.js';
import { creative, freshAppKey, freshWord, threePlacements, FORMATS } from './catalog.js';
import type { AdvertiserEntry, AppEntry, CampaignEntry, CatalogEntry, PublisherEntry } from './catalog.js';
import { sendJson } from './http.js';
import type { Answer } from './http.js';
import { becomes, freshAddress, Phone } from './phone.js';
import type { Fields, PhoneOptions } from './phone.js';
import { runPlacard } from './placard.js';
import type { CommandResult } from './placard.js';
import { claimProduct, productOf, releaseProduct, stopAllProducts } from './product.js';
import type { Flavour, Product } from './product.js';

/**
 * A change must be in force everywhere within this time
 * (docs/contract/sessions-and-switches.md#changes-reach-everyone).
 */
export const CHANGE_MS_MAX = 2_000;
/** Checks in a row that reach every replica of two of everything: calls take turns between them. */
const REPLICA_CHECKS = 8;

/** Longest start of a product, including its migrations. */
const START_MS_MAX = 120_000;
/** Longest time until console-service is connected to a process that was started again, in milliseconds. */
const CONNECTED_MS_MAX = 10_000;

/** The tests of the plain product run on the cluster instead; those of other instances do not run. */
const IS_ON_CLUSTER = process.env['TEST_PLAIN_AS'] === 'cluster';

/** Work that runs beside the tests once an instance runs. */
const besides: { readonly flavour: Flavour; readonly start: () => void }[] = [];

/** Every world of the run. `--prune` must not remove objects of other files. */
const worlds: World[] = [];

/** Options of a test campaign. By default it has its own advertiser with enough balance. */
export interface CampaignOptions extends Partial<CampaignEntry> {
  /** The apps that it targets, so that it is not served in another test's app. */
  readonly apps?: readonly AppEntry[];
  readonly advertiser?: AdvertiserEntry;
  readonly balance?: number | string;
}

/**
 * The part of the catalog that one test file owns, and the product that it uses. Objects are made while the file is
 * loaded, and are applied when the first suite that calls `use` begins. Worlds share no objects, so files do not disturb
 * each other.
 */
export class World {
  private readonly publishers: PublisherEntry[] = [];
  private readonly advertisers: AdvertiserEntry[] = [];
  private product: Product | undefined;
  private begun: Promise<void> | undefined;

  private readonly flavour: Flavour;

  constructor(flavour: Flavour) {
    this.flavour = IS_ON_CLUSTER && flavour === 'plain' ? 'cluster' : flavour;
    worlds.push(this);
  }

  /** Must be called first in a suite. Starts the product and applies the catalog before it; releases the product after it. */
  use(): void {
    if (IS_ON_CLUSTER && this.flavour !== 'cluster') {
      before('is not run on the cluster', function () {
        this.skip();
      });
      return;
    }
    claimProduct(this.flavour);
    before(`the ${this.flavour} product runs`, () => this.begin()).timeout(START_MS_MAX);
    after('the product is no longer needed', () => releaseProduct(this.flavour)).timeout(START_MS_MAX);
  }

  /**
   * Work that waits for minutes. It begins as soon as any suite has started the instance, and runs beside the tests of all
   * files. The returned function awaits the result.
   */
  beside<T>(work: () => Promise<T>): () => Promise<T> {
    let result: Promise<T> | undefined;
    const start = (): Promise<T> => {
      result ??= this.begin().then(work);
      // The returned function reports a failure. Until then it must not end the run.
      result.catch(() => undefined);
      return result;
    };
    besides.push({ flavour: this.flavour, start: () => void start() });
    return start;
  }

  /** Starts the product and applies the catalog, if that was not done yet. */
  private begin(): Promise<void> {
    this.begun ??= this.open();
    return this.begun;
  }

  private async open(): Promise<void> {
    this.product = await productOf(this.flavour);
    await this.apply();
    for (const { flavour, start } of besides) if (flavour === this.flavour) start();
  }

  get running(): Product {
    if (this.product === undefined) throw new Error('the suite did not call use()');
    return this.product;
  }

  get url(): string {
    return this.running.url;
  }

  publisher(over: Partial<PublisherEntry> = {}): PublisherEntry {
    const id = `pub_${freshWord()}`;
    const entry = { id, name: 'Publisher', approved: true, revenue_share: 0.7, apps: [], ...over };
    this.publishers.push(entry);
    return entry;
  }

  app(over: Partial<AppEntry> = {}, publisher = this.publisher()): AppEntry {
    const word = freshWord();
    const entry = {
      id: `app_${word}`,
      app_key: freshAppKey(),
      package_name: `com.example.${word}`,
      name: 'App',
      approved: true,
      placements: threePlacements(),
      ...over,
    };
    publisher.apps.push(entry);
    return entry;
  }

  advertiser(over: Partial<AdvertiserEntry> = {}): AdvertiserEntry {
    const id = `adv_${freshWord()}`;
    const entry = { id, name: 'Advertiser', approved: true, balance: 1_000, campaigns: [], ...over };
    this.advertisers.push(entry);
    return entry;
  }

  /** A campaign with one approved creative of each format, for the given apps only. */
  campaign(options: CampaignOptions): CampaignEntry {
    const { apps = [], advertiser, balance = 1_000, targeting, ...over } = options;
    const word = freshWord();
    const entry: CampaignEntry = {
      id: `cmp_${word}`,
      name: 'Campaign',
      bid_cpm: 2.5,
      targeting: { app_ids: apps.map((app) => app.id), ...targeting },
      creatives: FORMATS.map((format) => creative(`cr_${word}_${format}`, format)),
      ...over,
    };
    (advertiser ?? this.advertiser({ balance })).campaigns.push(entry);
    return entry;
  }

  /** An app and the one campaign that serves it. */
  pair(
    campaign: CampaignOptions = {},
    app: Partial<AppEntry> = {},
  ): { app: AppEntry; campaign: CampaignEntry } {
    const made = this.app(app);
    return { app: made, campaign: this.campaign({ apps: [made], ...campaign }) };
  }

  /** All objects of the world as a catalog file; `extra` replaces whole sections. */
  file(extra: CatalogEntry = {}): CatalogEntry {
    return { publishers: this.publishers, advertisers: this.advertisers, ...extra };
  }

  /** The publishers of every world in this product, without one app. Applied with `--prune` they remove the app. */
  publishersWithout(removed: AppEntry): PublisherEntry[] {
    const applied = worlds.filter((world) => world.product !== undefined && world.flavour === this.flavour);
    return applied
      .flatMap((world) => world.publishers)
      .map((publisher) => ({ ...publisher, apps: publisher.apps.filter((app) => app !== removed) }));
  }

  /** Applies the world's catalog and waits until every service has it. */
  async apply(extra: CatalogEntry = {}): Promise<void> {
    const marker = this.markerApp();
    const file = this.file(extra);
    const publisher = {
      id: `pub_${freshWord()}`,
      name: 'Marker',
      approved: true,
      revenue_share: 0,
      apps: [marker],
    };
    const result = await this.applyFile({ ...file, publishers: [...(file.publishers ?? []), publisher] });
    expect(result.status, result.stderr).to.equal(0);
    let inRow = 0;
    const isThere = await becomes(CHANGE_MS_MAX, async () => {
      inRow = (await this.isKnownEverywhere(marker)) ? inRow + 1 : 0;
      return inRow >= (this.flavour === 'cluster' ? REPLICA_CHECKS : 1);
    });
    expect(isThere, `a change is in force in every service within ${CHANGE_MS_MAX} ms`).to.equal(true);
  }

  /** Runs `placard catalog apply` with these objects alone. */
  async applyFile(file: unknown, args: readonly string[] = []): Promise<CommandResult> {
    return this.withFile(JSON.stringify(file), (name) => this.placard('catalog', 'apply', name, ...args));
  }

  /** Writes `text` to a file that exists while `use` runs. */
  async withFile<T>(text: string, use: (name: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'placard-catalog-'));
    try {
      const name = path.join(folder, 'catalog.yaml');
      await writeFile(name, text);
      return await use(name);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  placard(...args: readonly string[]): Promise<CommandResult> {
    return runPlacard(this.running.consoleAddress, args);
  }

  phone(app: AppEntry, options: PhoneOptions = {}): Promise<Phone> {
    return Phone.open(this.url, app, options);
  }

  /** Posts JSON from a fresh network. */
  post(path: string, fields: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return sendJson(this.url, path, fields, { 'x-forwarded-for': freshAddress(), ...headers });
  }

  /** A valid initialize of the app from a fresh network; `over` adds and replaces fields. */
  initialize(app: AppEntry, over: Fields = {}): Promise<Answer> {
    return this.post('/v1/sdk/initialize', {
      app_key: app.app_key,
      package_name: app.package_name,
      ...over,
    });
  }

  /** Waits until everything is settled and counted, and asserts that the books add up. */
  async settle(): Promise<Verification> {
    const verify = () => this.placard('ledger', 'verify', '--wait', '--json');
    let result = await verify();
    // The command answers nothing while a process that was started again is not connected yet.
    await becomes(CONNECTED_MS_MAX, async () => {
      if (result.stdout === '') result = await verify();
      return result.stdout !== '';
    });
    expect(result.stdout, result.stderr).not.to.equal('');
    const verification = JSON.parse(result.stdout) as Verification;
    expect(verification.ok, result.stdout).to.equal(true);
    expect(verification.waiting, 'nothing waits').to.equal(undefined);
    expect(result.status).to.equal(0);
    return verification;
  }

  /** Balances by `kind/id`, in nano-units. */
  async balances(): Promise<ReadonlyMap<string, bigint>> {
    const result = await this.placard('ledger', 'balances', '--json');
    expect(result.status, result.stderr).to.equal(0);
    const balances = JSON.parse(result.stdout) as Balances;
    expect(balances.sum).to.equal('0.000000000');
    return new Map(
      balances.accounts.map((account) => [`${account.kind}/${account.id}`, nanos(account.balance)]),
    );
  }

  async report(...args: readonly string[]): Promise<Report> {
    const result = await this.placard('report', '--format', 'json', ...args);
    expect(result.status, result.stderr).to.equal(0);
    return JSON.parse(result.stdout) as Report;
  }

  /** The rows of a report split by `by` that `isMine` picks, once everything is counted. */
  async rows(by: string, isMine: (row: ReportRow) => boolean): Promise<readonly ReportRow[]> {
    await this.settle();
    return (await this.report('--by', by)).rows.filter(isMine);
  }

  private markerApp(): AppEntry {
    return {
      id: `app_marker_${freshWord()}`,
      app_key: freshAppKey(),
      package_name: 'com.example.marker',
      name: 'Marker',
      approved: true,
      placements: threePlacements(),
    };
  }

  /** A change set is applied at once, so a service that has its newest app has all of it. */
  private async isKnownEverywhere(marker: AppEntry): Promise<boolean> {
    const begun = await this.initialize(marker, { test_mode: true });
    if (begun.status !== 200) return false;
    const session_token = begun.body.session_token;
    const headers = { 'x-forwarded-for': freshAddress() };
    const [asked, reported] = await Promise.all([
      this.post(
        '/v1/ads/request',
        {
          app_key: marker.app_key,
          placement: 'level_end',
          format: 'interstitial',
          session_token,
          test_force_no_fill: true,
        },
        headers,
      ),
      this.post('/v1/events/fallback', { session_token, placement: 'level_end', reason: 'error' }, headers),
    ]);
    return asked.status === 200 && reported.status === 200;
  }
}

after('every product is stopped', stopAllProducts).timeout(START_MS_MAX);
