import type { AppId } from '@placard/service-kit/pure';

/** Fills and impressions of an app. */
export interface AppShows {
  /** Id of the app, or `other` for the apps without a row of their own. */
  readonly app: AppId | 'other';
  /** Live fills. */
  readonly fills: bigint;
  /** Accepted live impressions. */
  readonly impressions: bigint;
}

/** Reads fills and impressions of apps from the roll-ups. Errors: `unavailable`. */
export interface ShowStore {
  /** Figures since the start of the hour of `fromMs`: the `appsMax` apps with most fills, in that order, then `other`. */
  since(fromMs: number, appsMax: number): Promise<readonly AppShows[]>;
}
