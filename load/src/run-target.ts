import type { LoadFigures } from './figures.js';
import type { Target } from './operations.js';
import { atTarget, phaseOf, putUnderLoad, type Place } from './place.js';
import { profiledCount, readProfiles, type ProcessProfile } from './profile/profiles.js';
import type { Run } from './run.js';

/** The result of a target. */
export interface TargetResult {
  readonly target: Target;
  readonly figures: LoadFigures;
  readonly profiles: readonly ProcessProfile[];
}

/** Puts one target under load, with its own product unless it runs elsewhere. */
export function runTarget(target: Target, run: Run): Promise<TargetResult> {
  const phase = phaseOf(target, run.options);
  return atTarget(target, run, async (place) => {
    const figures = await putUnderLoad(place, phase);
    return { target, figures, profiles: await profilesAt(place) };
  });
}

async function profilesAt({ product }: Place): Promise<readonly ProcessProfile[]> {
  if (product === null || product.profileDir === null) return [];
  return readProfiles(product.profileDir, profiledCount(product.product.pids));
}
