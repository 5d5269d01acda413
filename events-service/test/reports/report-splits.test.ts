import {
  HOUR_MS,
  REPORT_KEYS,
  dayToIso,
  hourOf,
  toIso,
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  type AdFormat,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import type { ReportRow } from '../../src/reports/domain/report.js';
import type { ReportKey } from '../../src/reports/domain/report-sources.js';
import { makeGetReport } from '../../src/reports/usecase/get-report.js';
import { openBed, openStores, type Bed } from '../support/bed.js';

/** Every figure of a report. */
const FIGURES = [
  'requests',
  'fills',
  'noFills',
  'impressions',
  'clicks',
  'rewards',
  'fallbacks',
  'rejected',
  'spendNanos',
  'revenueNanos',
  'errors',
] as const;
type Figure = (typeof FIGURES)[number];

const TIME = ['hour', 'day'] as const;
const PLACE = [...TIME, 'publisher', 'app', 'placement', 'format', 'country'] as const;
const AD = [...PLACE, 'advertiser', 'campaign', 'creative'] as const;
/** The keys of requests by version, which have no placement and no format. */
const VERSION = [...TIME, 'publisher', 'app', 'country', 'app_version', 'sdk_version'] as const;

/** The keys by which each figure can be split. */
const KEYS_OF: Readonly<Record<Figure, readonly (readonly ReportKey[])[]>> = {
  requests: [PLACE, VERSION],
  fills: [AD, VERSION],
  noFills: [PLACE, VERSION],
  impressions: [AD],
  clicks: [AD],
  rewards: [AD],
  fallbacks: [PLACE],
  rejected: [AD],
  spendNanos: [AD],
  revenueNanos: [AD],
  errors: [[...TIME, 'publisher', 'app']],
};

/** An occurrence: its keys, and the figures that it adds to. */
interface Fact {
  readonly at: Readonly<Record<ReportKey, string>>;
  /** `versionFills`: fills where rows are split by version. */
  readonly adds: Readonly<Partial<Record<Figure | 'versionFills', bigint>>>;
}

const START_MS = Date.UTC(2026, 9, 31, 22);
const HOURS = [0, 1, 2, 3].map((hour) => hourOf(START_MS) + hour);
const place = (publisherId: string, appId: string, placement: string, format: AdFormat) => ({
  publisherId: asPublisherId(publisherId),
  appId: asAppId(appId),
  placement: asPlacementCode(placement),
  format,
});
const PLACES = [
  place('pub_a', 'app_a', 'home', 'banner'),
  place('pub_a', 'app_a', 'video', 'rewarded'),
  place('pub_a', 'app_b', 'home', 'banner'),
  place('pub_b', 'app_c', 'end', 'interstitial'),
];
const ad = (advertiserId: string, campaignId: string, creativeId: string) => ({
  advertiserId: asAdvertiserId(advertiserId),
  campaignId: asCampaignId(campaignId),
  creativeId: asCreativeId(creativeId),
});
const ADS = [ad('adv_a', 'cmp_a', 'cr_a'), ad('adv_a', 'cmp_b', 'cr_b'), ad('adv_b', 'cmp_c', 'cr_c')];
const COUNTRIES = ['DE', 'SE', ''];
const VERSIONS = [
  { appVersion: '3.1', sdkVersion: '2.0' },
  { appVersion: '3.2', sdkVersion: '2.0' },
  { appVersion: '', sdkVersion: '' },
];
const NOWHERE = { publisherId: '', appId: '', placement: '', format: '', country: '' } as const;
const NO_AD = { advertiserId: '', campaignId: '', creativeId: '' } as const;

const pick = <T>(from: readonly T[], index: number): T => from[index % from.length]!;
/** Twelve different combinations of hour, place, country and ad. */
const SPOTS = Array.from({ length: 12 }, (_, index) => ({
  hour: pick(HOURS, index),
  ...pick(PLACES, index + Math.floor(index / 4)),
  country: pick(COUNTRIES, index),
  ...pick(VERSIONS, Math.floor(index / 2)),
  ...pick(ADS, index + Math.floor(index / 3)),
}));

type Spot = Omit<
  (typeof SPOTS)[number],
  'format' | keyof (typeof PLACES)[number] | keyof (typeof ADS)[number] | keyof (typeof VERSIONS)[number]
> &
  Readonly<Record<keyof (typeof PLACES)[number] | keyof (typeof ADS)[number], string>> &
  Readonly<Partial<(typeof VERSIONS)[number]>>;

function factOf(spot: Spot, adds: Fact['adds']): Fact {
  const hour = toIso(spot.hour * HOUR_MS).replace('.000Z', 'Z');
  return {
    at: {
      hour,
      day: dayToIso(Math.floor(spot.hour / 24)),
      publisher: spot.publisherId,
      app: spot.appId,
      placement: spot.placement,
      format: spot.format,
      country: spot.country,
      advertiser: spot.advertiserId,
      campaign: spot.campaignId,
      creative: spot.creativeId,
      app_version: spot.appVersion ?? '',
      sdk_version: spot.sdkVersion ?? '',
    },
    adds,
  };
}

type EventHour = (typeof SPOTS)[number] & {
  readonly impressions: number;
  readonly clicks: number;
  readonly rewards: number;
  readonly spendNanos: bigint;
  readonly revenueNanos: bigint;
};

/** Adds an event to the hourly sums like the settlement. */
async function storeEventHour(bed: Bed, event: EventHour): Promise<void> {
  await bed.pool.query(
    `INSERT INTO stats.event_hour VALUES (to_timestamp($1::float8 * 3600), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      event.hour,
      event.publisherId,
      event.appId,
      event.placement,
      event.format,
      event.country,
      event.advertiserId,
      event.campaignId,
      event.creativeId,
      event.impressions,
      event.clicks,
      event.rewards,
      event.spendNanos,
      event.revenueNanos,
    ],
  );
}

/** Stores errors with and without an app, and returns the facts. */
async function storeErrors(bed: Bed): Promise<readonly Fact[]> {
  const ofApps = [2, 3, 3, 11].map((place) => {
    const { hour, publisherId, appId } = SPOTS[place]!;
    return { hour, publisherId, appId, count: BigInt(place), error: '401.invalid_session' as const };
  });
  const ofNoApp = {
    hour: HOURS[1]!,
    publisherId: '',
    appId: '',
    count: 5n,
    error: '429.rate_limited',
  } as const;
  const errors = [...ofApps, ofNoApp];
  await openStores(bed.pool).counts.addErrors({ reporterId: 'gateway', sequence: 1n }, errors);
  return errors.map((one) => factOf({ ...NOWHERE, ...NO_AD, ...one }, { errors: one.count }));
}

/** Stores rejections of events, one of them with an unreadable token, and returns the facts. */
async function storeRejections(bed: Bed): Promise<readonly Fact[]> {
  const rejections = [
    ...[0, 4, 11].map((place) => ({
      ...SPOTS[place]!,
      rejections: place + 1,
      reason: 'duplicate' as const,
    })),
    { ...NOWHERE, ...NO_AD, hour: HOURS[0]!, rejections: 7, reason: 'invalid_token' as const },
  ];
  await openStores(bed.pool).counts.addRejections({ reporterId: 'events', sequence: 1n }, rejections);
  return rejections.map((spot) => factOf(spot, { rejected: BigInt(spot.rejections) }));
}

/** Stores different traffic of each kind at its own spots, and returns the facts. */
async function storeTraffic(bed: Bed): Promise<readonly Fact[]> {
  const { counts } = openStores(bed.pool);
  const at = (...places: readonly number[]) => places.map((place) => ({ ...SPOTS[place]!, place }));
  const requests = at(0, 1, 2, 3, 6, 8).map((spot) => ({
    ...spot,
    noFillReason: spot.place % 2 === 0 ? '' : 'no_eligible_campaign',
    count: BigInt(spot.place + 1),
  }));
  const fills = at(0, 2, 5, 6, 8).map((spot) => ({
    ...spot,
    minute: spot.hour * 60,
    count: BigInt(spot.place + 2),
    reservedNanos: 1n,
    expiresAtMs: START_MS,
  }));
  await counts.addServingReport({
    name: { reporterId: 'replica', sequence: 1n },
    requests,
    fills,
    traffic: [],
    losses: [],
  });
  const events = at(0, 2, 4, 6, 9).map((spot) => ({
    ...spot,
    impressions: spot.place + 3,
    clicks: spot.place + 1,
    rewards: spot.place,
    spendNanos: BigInt(spot.place) * 1_000n,
    revenueNanos: BigInt(spot.place) * 700n,
  }));
  for (const event of events) await storeEventHour(bed, event);
  const fallbacks = at(1, 1, 3, 5, 7, 10).map((spot) => ({
    ...spot,
    reason: 'timeout' as const,
  }));
  await counts.addFallbacks(fallbacks);
  return [
    ...requests.map((spot) =>
      factOf(
        spot,
        spot.noFillReason === ''
          ? { requests: spot.count, versionFills: spot.count }
          : { requests: spot.count, noFills: spot.count },
      ),
    ),
    ...fills.map((spot) => factOf(spot, { fills: spot.count })),
    ...events.map(({ impressions, clicks, rewards, spendNanos, revenueNanos, ...spot }) =>
      factOf(spot, {
        impressions: BigInt(impressions),
        clicks: BigInt(clicks),
        rewards: BigInt(rewards),
        spendNanos,
        revenueNanos,
      }),
    ),
    ...fallbacks.map((spot) => factOf(spot, { fallbacks: 1n })),
    ...(await storeRejections(bed)),
    ...(await storeErrors(bed)),
  ];
}

type Figures = Readonly<Record<Figure, bigint | null>>;

/** The expected rows of a split by their keys, computed from the facts. */
function expectedRows(facts: readonly Fact[], by: readonly ReportKey[]): ReadonlyMap<string, Figures> {
  const canSplit = (figure: Figure): boolean =>
    KEYS_OF[figure].some((keys) => by.every((key) => keys.includes(key)));
  const nothing = Object.fromEntries(FIGURES.map((figure) => [figure, canSplit(figure) ? 0n : null]));
  const isByVersion = by.includes('app_version') || by.includes('sdk_version');
  const addedTo = (figure: Figure, adds: Fact['adds']): bigint | undefined =>
    adds[figure === 'fills' && isByVersion ? 'versionFills' : figure];
  const rows = new Map<string, Figures>();
  for (const { at, adds } of facts) {
    const isUnreadable = at.app === '' && by.some((key) => !TIME.some((time) => time === key));
    const figures = FIGURES.filter((figure) => addedTo(figure, adds) !== undefined && canSplit(figure));
    if (isUnreadable || figures.length === 0) continue;
    const name = by.map((key) => at[key]).join('|');
    const row = rows.get(name) ?? (nothing as Figures);
    const sums = figures.map((figure) => [figure, (row[figure] ?? 0n) + addedTo(figure, adds)!] as const);
    rows.set(name, { ...row, ...Object.fromEntries(sums) });
  }
  return rows;
}

function shownFigures(row: ReportRow): Figures {
  const sum = (counts: ReadonlyMap<string, bigint> | null): bigint | null =>
    counts === null ? null : [...counts.values()].reduce((total, count) => total + count, 0n);
  return {
    requests: row.requests,
    fills: row.fills,
    noFills: sum(row.noFills),
    impressions: row.events?.impressions ?? null,
    clicks: row.events?.clicks ?? null,
    rewards: row.events?.rewards ?? null,
    fallbacks: sum(row.fallbacks),
    rejected: sum(row.rejected),
    spendNanos: row.events?.spendNanos ?? null,
    revenueNanos: row.events?.revenueNanos ?? null,
    errors: sum(row.errors),
  };
}

const OTHER_KEYS = REPORT_KEYS.filter((key) => key !== 'hour' && key !== 'day');
/** Every set of keys without hour and day that some figure has. */
const SPLITS = Array.from({ length: 2 ** OTHER_KEYS.length }, (_, set) =>
  OTHER_KEYS.filter((_key, place) => (set >> place) % 2 === 1),
).filter((keys) =>
  [AD, VERSION].some((had) => keys.every((key) => (had as readonly ReportKey[]).includes(key))),
);

describe('every figure of a report, split by every set of keys', () => {
  let bed: Bed;
  let facts: readonly Fact[];
  before(async () => {
    bed = await openBed();
    facts = await storeTraffic(bed);
  });
  after(() => bed.drop());

  for (const [times, title] of [
    [[], 'and not by time'],
    [['hour'], 'and by hour'],
    [['day'], 'and by day'],
    [['hour', 'day'], 'and by hour and day'],
  ] as const) {
    it(`${title} is the sum of its facts, or null where it cannot be split by one of the keys`, async () => {
      const getReport = makeGetReport(openStores(bed.pool).report);
      const range = { fromMs: START_MS, toMs: START_MS + 4 * HOUR_MS, filters: [], days: [] };
      for (const others of SPLITS) {
        const by = [...times, ...others];
        const { rows } = await getReport({ by, ...range });
        const shown = new Map(rows.map((row) => [row.keys.join('|'), shownFigures(row)]));
        expect([...shown].sort(), by.join()).to.deep.equal([...expectedRows(facts, by)].sort());
      }
    });
  }
});
