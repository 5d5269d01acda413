import { setImmediate as breathe } from 'node:timers/promises';
import type { Clock } from '@placard/service-kit/pure';
import { actorText, mayMoveMoney } from '../../access/domain/permission.js';
import type { OperationAnswer, OperationRequest, Refusal, RoutesOf } from '../../manage/domain/operations.js';
import { validateCatalog } from '../domain/warnings/validate-catalog.js';
import { readCatalogFile } from '../file/read-catalog-file.js';
import { exportHead, partHead, writeText } from '../file/write-text.js';
import type { ApplyCatalog } from '../usecase/apply-catalog.js';
import type { CatalogExport, ExportCatalog } from '../usecase/export-catalog.js';
import type { ShowObject } from '../usecase/show-object.js';
import { toApplied } from './applied.js';
import { applyRefusal, faultErrors, unconfirmedText } from './apply-refusal.js';

/** The use cases of the operations on catalog files. */
export interface CatalogRoutesDeps {
  readonly applyCatalog: ApplyCatalog;
  readonly exportCatalog: ExportCatalog;
  readonly showObject: ShowObject;
  readonly clock: Clock;
}

type CatalogOperation = 'applyCatalog' | 'validateCatalog' | 'exportCatalog' | 'showCatalogObject';

/** Catalog files. */
export function catalogRoutes(deps: CatalogRoutesDeps): RoutesOf<CatalogOperation> {
  return {
    applyCatalog: (request) => apply(deps, request),
    validateCatalog: async ({ body }) => {
      const { file, faults } = await readCatalogFile(body);
      const warnings = file === null ? [] : validateCatalog(file, faults, deps.clock.now());
      if (file === null || !faults.isEmpty()) return { refusal: refusalOf(faults.list()) };
      return { body: { objects: file.objects.length, warnings: [...warnings] } };
    },
    exportCatalog: async () => toFile(await deps.exportCatalog(), exportHead),
    showCatalogObject: async ({ query }) => toFile(await deps.showObject(query.id), partHead),
  };
}

async function apply(
  { applyCatalog }: Pick<CatalogRoutesDeps, 'applyCatalog'>,
  { actor, query, body }: OperationRequest<'applyCatalog'>,
): Promise<OperationAnswer<'applyCatalog'>> {
  const { file, faults } = await readCatalogFile(body);
  if (file === null) return { refusal: refusalOf(faults.list()) };
  const isDryRun = query.dry_run === true;
  const result = await applyCatalog({
    file,
    faults,
    isPruning: query.prune === true,
    isOnlyIfEmpty: query.only_if_empty === true,
    isDryRun,
    isConfirmed: query.confirm === true,
    isMoneyAllowed: mayMoveMoney(actor.role),
    ifVersion: query.if_version ?? null,
    actor: actorText(actor),
  });
  if (result.faults.length > 0) return { refusal: refusalOf(result.faults) };
  const { refusal, notes } = result;
  const isPreview = isDryRun && refusal?.kind === 'unconfirmed';
  if (refusal !== null && !isPreview) return { refusal: applyRefusal(refusal, result) };
  const toConfirm = isPreview ? [`${unconfirmedText(refusal)} That needs a confirmation.`] : [];
  return { body: toApplied({ ...result, notes: [...notes, ...toConfirm] }), etag: String(result.version) };
}

async function toFile({ tree, version }: CatalogExport, head: (version: number) => string) {
  return { body: head(version) + (await writeText(tree, () => breathe())), etag: String(version) };
}

function refusalOf(faults: readonly string[]): Refusal {
  return { detail: 'The catalog file is refused and nothing was changed.', errors: faultErrors(faults) };
}
