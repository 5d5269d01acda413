import { appError } from '@placard/service-kit';
import { toIso, type Clock, type ReportKey } from '@placard/service-kit/pure';
import type { CountedReport, FetchReport, ReportFilter } from '../clients/reports.js';
import {
  brokenDay,
  daysOf,
  endDays,
  isWholeDays,
  previousRange,
  reportRange,
  ZONE_DAYS_MAX,
  type AskedRange,
  type NamedDay,
  type ReportRange,
} from '../domain/report-range.js';
import {
  addZeroRows,
  BUYER_KEYS,
  buyerKeysOf,
  joinPrevious,
  sumRows,
  type CountedRow,
  type ReportRow,
} from '../domain/report-rows.js';
import { inPlace } from '../domain/comparison.js';
import { zoneOf, type Zone } from '../domain/zone.js';
import type { NamedKind, ObjectName, ReportObjects } from '../store/report-objects.js';
import { unknownIn } from './unknown-objects.js';

export type { ReportFilter };

/** A request for a report. */
export interface ReportRequest extends AskedRange {
  /** Each key once. */
  readonly by: readonly ReportKey[];
  /** Each key once, and not hour or day. */
  readonly filters: readonly ReportFilter[];
  /** IANA name of the zone whose days are counted. */
  readonly zone: string;
  /** Whether the range before is counted too. */
  readonly isCompared: boolean;
}

/** A report with the range that it covers. */
export interface Report extends ReportRange {
  readonly by: readonly ReportKey[];
  readonly asOfMs: number;
  readonly zone: string;
  /** Null: the report compares nothing. */
  readonly previousRange: ReportRange | null;
  readonly rows: readonly ReportRow[];
  /** The sum of all rows. */
  readonly total: Omit<ReportRow, 'keys'>;
  /** Names of objects in the rows, by `kind/id`. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Reads a report. Error `invalid_argument`: its range is empty or invalid, the zone is unknown or its days do not fit into
 * whole hours, the counts have no such split, or a filter names an object that the catalog never had.
 * Contract: docs/contract/reports.md#reports.
 */
export type GetReport = (request: ReportRequest) => Promise<Report>;

/** What {@link GetReport} needs. */
export interface GetReportDeps {
  readonly fetchReport: FetchReport;
  readonly objects: ReportObjects;
  readonly clock: Clock;
}

/** Makes {@link GetReport}. */
export function makeGetReport({ fetchReport, objects, clock }: GetReportDeps): GetReport {
  return async (request) => {
    const { by, filters } = request;
    const zone = requireZone(request.zone);
    const range = requireRange(reportRange(request, zone, clock.now()));
    const before = request.isCompared ? requirePrevious(by, range, zone) : null;
    await requireKnown(objects, filters);
    const fetchRange = async (of: ReportRange): Promise<CountedReport> =>
      fetchReport({ by, ...of, filters, days: requireDays(by, of, zone) });
    const [current, previous, buyers] = await Promise.all([
      fetchRange(range),
      before === null ? null : fetchRange(before),
      buyersOf(objects, by, filters),
    ]);
    const { asOfMs, empty } = current;
    const counted = addZeroRows(current.rows, buyers, empty);
    const earlier =
      before === null || previous === null
        ? null
        : inPlace(previous.rows, by, { zone, fromMs: before.fromMs, toMs: range.fromMs });
    const rows = joinPrevious(counted, earlier, empty);
    return {
      by,
      asOfMs,
      ...range,
      zone: zone.name,
      previousRange: before,
      rows,
      total: {
        figures: sumRows(counted, empty),
        previous: earlier === null ? null : sumRows(earlier, empty),
      },
      names: await objects.namesOf(namedIn(by, rows)),
    };
  };
}

function refused(reason: string): Error {
  return appError('invalid_argument', `The report is refused: ${reason}`);
}

function requireZone(name: string): Zone {
  const zone = zoneOf(name);
  if (zone !== null) return zone;
  throw refused(
    `there is no time zone ${name}. Name one of the IANA database, such as Europe/Vienna, or UTC.`,
  );
}

function requireRange(range: ReportRange | null): ReportRange {
  if (range !== null) return range;
  throw refused('its range is empty. It must begin before it ends.');
}

const NAMED_KINDS: readonly NamedKind[] = ['publisher', 'app', 'advertiser', 'campaign'];

/** Refuses ids that the catalog never had: a report of them would look like one of an object without counts. */
async function requireKnown(objects: ReportObjects, filters: readonly ReportFilter[]): Promise<void> {
  const asked = NAMED_KINDS.flatMap((kind) => (valuesOf(filters, kind) ?? []).map((id) => ({ kind, id })));
  const unknown = await unknownIn(objects, asked);
  if (unknown !== null) throw refused(unknown);
  const codes = valuesOf(filters, 'placement') ?? [];
  if (codes.length === 0) return;
  const known = await objects.placementCodes(codes, {
    publishers: valuesOf(filters, 'publisher'),
    apps: valuesOf(filters, 'app'),
  });
  const missing = codes.filter((code) => !known.has(code));
  if (missing.length > 0)
    throw refused(
      `no app of the report ever had the placement ${missing.join(', ')}. Name the code of one, such as home_banner.`,
    );
}

/** The values of a filter. Null: there is none. */
function valuesOf(filters: readonly ReportFilter[], key: ReportKey): readonly string[] | null {
  return filters.find((filter) => filter.key === key)?.values ?? null;
}

/** The named days of a split by day; empty in UTC. Counts are kept by hours of UTC, so a day must begin at one. */
function requireDays(by: readonly ReportKey[], range: ReportRange, zone: Zone): readonly NamedDay[] {
  if (zone.isUtc) return [];
  const days = by.includes('day') ? daysOf(range, zone) : endDays(range, zone);
  if (days === null)
    throw refused(`in a time zone other than UTC it is split into at most ${ZONE_DAYS_MAX} days.`);
  const broken = brokenDay(days);
  if (broken === null) return by.includes('day') ? days : [];
  throw refused(
    `counts are kept by hours of UTC, and ${broken.name} in ${zone.name} begins at ${toIso(broken.fromMs)}. ` +
      'Name a zone whose days begin at a whole hour of UTC, or use UTC.',
  );
}

function requirePrevious(by: readonly ReportKey[], range: ReportRange, zone: Zone): ReportRange {
  if (by.includes('day') && !isWholeDays(range, zone))
    throw refused('days are compared in a range of whole days only.');
  const previous = previousRange(range, zone);
  if (previous === null) throw refused('the range before it would begin before 1970.');
  return previous;
}

/** The keys of all objects that a split by buyer has a row for. */
async function buyersOf(
  objects: ReportObjects,
  by: readonly ReportKey[],
  filters: readonly ReportFilter[],
): Promise<readonly (readonly string[])[]> {
  const keys = buyerKeysOf(by);
  if (keys === null) return [];
  const level = BUYER_KEYS.findLast((key) => by.includes(key)) ?? 'advertiser';
  const found = await objects.buyers(level, {
    advertisers: valuesOf(filters, 'advertiser'),
    campaigns: valuesOf(filters, 'campaign'),
  });
  return found.map((object) => keys.map((key) => object[key] ?? ''));
}

/** The objects of the rows that may have a name, each once. */
function namedIn(by: readonly ReportKey[], rows: readonly CountedRow[]): readonly ObjectName[] {
  return NAMED_KINDS.filter((kind) => by.includes(kind)).flatMap((kind) => {
    const place = by.indexOf(kind);
    const ids = new Set(rows.map(({ keys }) => keys[place] ?? ''));
    return [...ids].map((id) => ({ kind, id }));
  });
}
