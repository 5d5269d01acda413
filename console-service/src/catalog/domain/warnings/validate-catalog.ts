import { objectKey } from '../catalog-object.js';
import { openingNanos } from '../change/opening.js';
import type { Faults } from '../faults.js';
import { planApply } from '../plan-apply.js';
import type { CatalogFile } from '../read-catalog.js';
import { findWarnings } from './find-warnings.js';

/**
 * Judges a file as a catalog of new objects. Adds its faults to `faults`, and returns its warnings when there are none.
 * Contract: docs/contract/catalog.md#warnings.
 */
export function validateCatalog(file: CatalogFile, faults: Faults, nowMs: number): readonly string[] {
  const { changes } = planApply(file, { objects: [], isPruning: false }, faults);
  if (!faults.isEmpty()) return [];
  const openings = new Map(
    changes.map((change) => [objectKey(change.kind, change.id), openingNanos(change)]),
  );
  return findWarnings(file, {
    stored: [],
    changes,
    siblings: [],
    fundedNanos: (id) => openings.get(objectKey('advertiser', id)),
    isUsedUp: () => false,
    areAppsKnown: false,
    nowMs,
  });
}
