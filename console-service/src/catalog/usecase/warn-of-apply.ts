import { objectKey } from '../domain/catalog-object.js';
import { openingNanos } from '../domain/change/opening.js';
import type { FieldValue } from '../domain/field-types.js';
import { parentKindOf } from '../domain/kinds.js';
import type { ApplyPlan, StoredCatalog } from '../domain/plan-apply.js';
import type { CatalogFile } from '../domain/read-catalog.js';
import { findWarnings, type PlacedId } from '../domain/warnings/find-warnings.js';
import type { CatalogTransaction } from '../store/catalog-store.js';
import type { CatalogReads } from '../store/reads/catalog-reads.js';

/** Most objects of a file that is examined. A larger one comes from a program, and its warnings would be read by nobody. */
const EXAMINED_MAX = 5_000;
/** Most new objects whose ids are compared, and most stored objects beside them. A longer list comes from a program. */
const COMPARED_MAX = 100;
const SIBLINGS_MAX = 10_000;

/** The file, what is stored of it, and what its apply would change. */
export interface JudgedApply {
  readonly file: CatalogFile;
  readonly stored: StoredCatalog;
  readonly plan: ApplyPlan;
  /** Epoch ms. */
  readonly nowMs: number;
}

/** Reads what the warnings of an apply depend on, and finds them. Contract: docs/contract/catalog.md#warnings. */
export async function warnOfApply(
  transaction: Pick<CatalogTransaction, 'reads' | 'readNamed'>,
  { file, stored, plan, nowMs }: JudgedApply,
): Promise<readonly string[]> {
  if (file.objects.length > EXAMINED_MAX)
    return [`file: has more than ${EXAMINED_MAX} objects and is not examined for what cannot deliver`];
  const campaigns = file.objects.filter(({ kind }) => kind === 'campaign');
  const advertiserIds = file.objects.flatMap(({ kind, id }) => (kind === 'advertiser' ? [id] : []));
  const apps = targetedApps(file, stored).map((id) => ({ kind: 'app', id }) as const);
  const { reads } = transaction;
  const creatives = await reads.readBelow(campaigns);
  const targeted = await transaction.readNamed(apps, []);
  const siblings = await readSiblings(reads, plan);
  const funded = await reads.readFunded(advertiserIds);
  const usedUp = await reads.readUsedUp(advertiserIds);
  const openings = new Map(
    plan.changes.map((change) => [objectKey(change.kind, change.id), openingNanos(change)]),
  );
  return findWarnings(file, {
    stored: [...stored.objects, ...creatives, ...targeted],
    changes: plan.changes,
    siblings,
    fundedNanos: (id) => (funded.get(id) ?? 0n) + (openings.get(objectKey('advertiser', id)) ?? 0n),
    isUsedUp: (id) => usedUp.has(id),
    areAppsKnown: true,
    nowMs,
  });
}

/** Ids of the apps that campaigns of the file target, after the apply. */
function targetedApps(file: CatalogFile, stored: StoredCatalog): string[] {
  const ids = new Set<string>();
  const add = (value: FieldValue | undefined): void => {
    if (Array.isArray(value)) for (const id of value) ids.add(String(id));
  };
  for (const { given } of file.objects) add(given.get('targeting.app_ids'));
  for (const { kind, fields } of stored.objects) if (kind === 'campaign') add(fields['targeting.app_ids']);
  return [...ids];
}

/** The stored objects beside new ones. None when there are too many of either to compare. */
async function readSiblings(reads: CatalogReads, { changes }: ApplyPlan): Promise<readonly PlacedId[]> {
  const created = changes.filter(({ action }) => action === 'created');
  const newKeys = new Set(created.map(({ kind, id }) => objectKey(kind, id)));
  const places = new Map(
    created
      .filter(({ kind, parentId }) => !newKeys.has(objectKey(parentKindOf(kind) ?? 'global', parentId ?? '')))
      .map(({ kind, parentId }) => [objectKey(kind, parentId ?? ''), { kind, parentId }]),
  );
  if (places.size === 0 || created.length > COMPARED_MAX) return [];
  return (await reads.readSiblings([...places.values()], SIBLINGS_MAX)) ?? [];
}
