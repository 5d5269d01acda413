import type { AppEntry, Market, PlacementEntry } from './market.js';

/** The apps and placements of a catalog file that get ads, without those that are switched off. */
export function servedApps({ publishers }: Pick<Market, 'publishers'>): readonly AppEntry[] {
  return publishers
    .filter(({ approved, serving_enabled: isServing = true }) => approved && isServing)
    .flatMap(({ apps }) => apps)
    .filter(
      ({ approved, blocked = false, serving_enabled: isServing = true }) => approved && !blocked && isServing,
    )
    .map((app) => ({ ...app, placements: app.placements.filter(isOpen) }))
    .filter(({ placements }) => placements.length > 0);
}

function isOpen({
  paused = false,
  enabled = true,
  disabled_by_admin: isDisabled = false,
}: PlacementEntry): boolean {
  return enabled && !paused && !isDisabled;
}
