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
import { type ReportKey, type ReportRow } from '../src/reports/domain/report.js';
import { makeGetReport } from '../src/reports/usecase/get-report.js';
import { openBed, openStores, type Bed } from './bed.js';

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
] as const;
type Figure = (typeof FIGURES)[number];

const TIME = ['hour', 'day'] as const;
const PLACE = [...TIME, 'publisher', 'app', 'placement', 'format', 'country'] as const;

/** The keys by which each figure can be split. */
const KEYS_OF: Readonly<Record<Figure, readonly ReportKey[]>> = {
  requests: PLACE,
  fills: REPORT_KEYS,
  noFills: PLACE,
  impressions: REPORT_KEYS,
  clicks: REPORT_KEYS,
  rewards: REPORT_KEYS,
  fallbacks: PLACE,
  rejected: REPORT_KEYS,
  spendNanos: REPORT_KEYS,
  revenueNanos: REPORT_KEYS,
};

/** An occurrence: its keys, and the figures that it adds to. */
interface Fact {
  readonly at: Readonly<Record<ReportKey, string>>;
  readonly adds: Readonly<Partial<Record<Figure, bigint>>>;
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
const NOWHERE = { publisherId: '', appId: '', placement: '', format: '', country: '' } as const;
const NO_AD = { advertiserId: '', campaignId: '', creativeId: '' } as const;

const pick = <T>(from: readonly T[], index: number): T => from[index % from.length]!;
/** Twelve different combinations of hour, place, country and ad. */
const SPOTS = Array.from({ length: 12 }, (_, index) => ({
  hour: pick(HOURS, index),
  ...pick(PLACES, index + Math.floor(index / 4)),
  country: pick(COUNTRIES, index),
  ...pick(ADS, index + Math.floor(index / 3)),
}));

type Spot = Omit<
  (typeof SPOTS)[number],
  'format' | keyof (typeof PLACES)[number] | keyof (typeof ADS)[number]
> &
  Readonly<Record<keyof (typeof PLACES)[number] | keyof (typeof ADS)[number], string>>;

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
  const unreadable = {
    ...NOWHERE,
    ...NO_AD,
    hour: HOURS[0]!,
    rejections: 7,
    reason: 'invalid_token' as const,
  };
  const rejections = [
    ...at(0, 4, 11).map((spot) => ({ ...spot, rejections: spot.place + 1, reason: 'duplicate' as const })),
    unreadable,
  ];
  await counts.addRejections({ reporterId: 'events', sequence: 1n }, rejections);
  return [
    ...requests.map((spot) =>
      factOf(spot, { requests: spot.count, ...(spot.noFillReason === '' ? {} : { noFills: spot.count }) }),
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
    ...rejections.map((spot) => factOf(spot, { rejected: BigInt(spot.rejections) })),
  ];
}

type Figures = Readonly<Record<Figure, bigint | null>>;

/** The expected rows of a split by their keys, computed from the facts. */
function expectedRows(facts: readonly Fact[], by: readonly ReportKey[]): ReadonlyMap<string, Figures> {
  const canSplit = (figure: Figure): boolean => by.every((key) => KEYS_OF[figure].includes(key));
  const nothing = Object.fromEntries(FIGURES.map((figure) => [figure, canSplit(figure) ? 0n : null]));
  const rows = new Map<string, Figures>();
  for (const { at, adds } of facts) {
    const isUnreadable = at.app === '' && by.some((key) => !TIME.some((time) => time === key));
    const figures = FIGURES.filter((figure) => adds[figure] !== undefined && canSplit(figure));
    if (isUnreadable || figures.length === 0) continue;
    const name = by.map((key) => at[key]).join('|');
    const row = rows.get(name) ?? (nothing as Figures);
    const sums = figures.map((figure) => [figure, (row[figure] ?? 0n) + adds[figure]!] as const);
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
    impressions: row.impressions,
    clicks: row.clicks,
    rewards: row.rewards,
    fallbacks: row.fallbacks,
    rejected: sum(row.rejected),
    spendNanos: row.spendNanos,
    revenueNanos: row.revenueNanos,
  };
}

const OTHER_KEYS = REPORT_KEYS.filter((key) => key !== 'hour' && key !== 'day');
/** Every set of keys without hour and day. */
const SPLITS = Array.from({ length: 2 ** OTHER_KEYS.length }, (_, set) =>
  OTHER_KEYS.filter((_key, place) => (set >> place) % 2 === 1),
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
      const range = { fromMs: START_MS, toMs: START_MS + 4 * HOUR_MS };
      for (const others of SPLITS) {
        const by = [...times, ...others];
        const { rows } = await getReport({ by, ...range });
        const shown = new Map(rows.map((row) => [row.keys.join('|'), shownFigures(row)]));
        expect([...shown].sort(), by.join()).to.deep.equal([...expectedRows(facts, by)].sort());
      }
    });
  }
});
