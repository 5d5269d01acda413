import { HOUR_MS, type Clock } from '@placard/service-kit/pure';
import type { AppShows, ShowStore } from '../store/shows.js';

/** Most apps with a series of their own. The rest is `other`. */
export const SHOWN_APPS_MAX = 50;

/** What {@link makeWatchShows} needs. */
export interface WatchShowsDeps {
  readonly shows: ShowStore;
  readonly clock: Clock;
  readonly onShows: (apps: readonly AppShows[]) => void;
}

/**
 * Reads how many fills of this and the previous hour were shown, by app. An ad may be shown some time after its fill; two
 * hours even that out. Error `unavailable`.
 */
export function makeWatchShows({ shows, clock, onShows }: WatchShowsDeps): () => Promise<void> {
  return async () => onShows(await shows.since(clock.now() - HOUR_MS, SHOWN_APPS_MAX));
}
