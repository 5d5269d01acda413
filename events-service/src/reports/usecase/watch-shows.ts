import { HOUR_MS, type Clock } from '@placard/service-kit/pure';
import type { AppShows, ShowStore } from '../store/shows.js';

/** Apps that are named; the rest is one. */
export const SHOWN_APPS_MAX = 50;

/** What watching needs. */
export interface WatchShowsDeps {
  readonly shows: ShowStore;
  readonly clock: Clock;
  readonly onShows: (apps: readonly AppShows[]) => void;
}

/**
 * Reads how many of the fills of this and the previous hour were shown, by app. An ad may be shown for a while after its
 * fill, which two hours even out. Error `unavailable`.
 */
export function makeWatchShows({ shows, clock, onShows }: WatchShowsDeps): () => Promise<void> {
  return async () => onShows(await shows.since(clock.now() - HOUR_MS, SHOWN_APPS_MAX));
}
