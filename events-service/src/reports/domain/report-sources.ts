import type { ReportKey } from '@placard/service-kit/pure';

export type { ReportKey };

/** A source of counts. Each has its own table; `versions` has the requests by version. */
export type ReportSource =
  'requests' | 'versions' | 'fills' | 'events' | 'fallbacks' | 'rejections' | 'errors';

/** Only counts whose value of the key is one of these. */
export interface ReportFilter {
  readonly key: ReportKey;
  readonly values: readonly string[];
}

/** The keys that a report needs of its sources: those of its split and of its filters. */
export type NeededKeys = readonly ReportKey[];

const TIME_KEYS = ['hour', 'day'] as const;
const PLACE_KEYS = [...TIME_KEYS, 'publisher', 'app', 'placement', 'format', 'country'] as const;
const AD_KEYS = [...PLACE_KEYS, 'advertiser', 'campaign', 'creative'] as const;

/** The keys of each source. */
const KEYS_OF: Readonly<Record<ReportSource, ReadonlySet<ReportKey>>> = {
  requests: new Set(PLACE_KEYS),
  versions: new Set([...TIME_KEYS, 'publisher', 'app', 'country', 'app_version', 'sdk_version'] as const),
  fills: new Set(AD_KEYS),
  events: new Set(AD_KEYS),
  fallbacks: new Set(PLACE_KEYS),
  rejections: new Set(AD_KEYS),
  errors: new Set([...TIME_KEYS, 'publisher', 'app'] as const),
};

/** The keys that can be combined with a version. Contract: docs/contract/reports.md#versions. */
export const VERSION_COMPANIONS: readonly ReportKey[] = [...KEYS_OF.versions];

/** Whether one of the keys is a version. */
export function hasVersion(needed: NeededKeys): boolean {
  return needed.includes('app_version') || needed.includes('sdk_version');
}

/**
 * Whether one of the keys is held only by a readable token, or by a request that names its app. Then what has no such value
 * has no row.
 */
export function needsPlace(needed: NeededKeys): boolean {
  return needed.some((key) => key !== 'hour' && key !== 'day');
}

/**
 * The sources that have all of the keys. `versions` is read instead of `requests`, and only for a key that needs it.
 * `fallbacksHaveCountry`: false when some fallbacks of the range were counted without their country. Empty: no count has
 * these keys together.
 */
export function sourcesOf(needed: NeededKeys, fallbacksHaveCountry: boolean): readonly ReportSource[] {
  const sources = Object.keys(KEYS_OF) as ReportSource[];
  return sources.filter((source) => {
    if (source === 'versions' && !hasVersion(needed)) return false;
    if (source === 'fallbacks' && !fallbacksHaveCountry && needed.includes('country')) return false;
    return needed.every((key) => KEYS_OF[source].has(key));
  });
}
