import { toIso } from '@placard/service-kit/pure';
import { actorText } from '../../access/domain/permission.js';
import { fieldsNode } from '../../catalog/domain/export-tree.js';
import { faultErrors, removalErrors } from '../../catalog/routes/apply-refusal.js';
import { toApplied } from '../../catalog/routes/applied.js';
import type { Refusal, RoutesOf, Schemas } from '../../manage/domain/operations.js';
import { changeText, detailsOf } from '../domain/change-text.js';
import type { ObjectChange } from '../domain/object-change.js';
import type { ReadHistory } from '../usecase/read-history.js';
import type { RevertResult, RevertVersion } from '../usecase/revert-version.js';

/** The use cases of the operations on the history. */
export interface HistoryRoutesDeps {
  readonly readHistory: ReadHistory;
  readonly revertVersion: RevertVersion;
}

/** Rows of an answer, when the request does not say. */
const ROWS_DEFAULT = 100;

/** The history of the catalog. */
export function historyRoutes(deps: HistoryRoutesDeps): RoutesOf<'readCatalogHistory' | 'revertCatalog'> {
  return {
    readCatalogHistory: async ({ query }) => {
      const { rows, next } = await deps.readHistory({
        id: query.id ?? null,
        after: query.cursor === undefined ? null : Number(query.cursor),
        rowsMax: query.limit ?? ROWS_DEFAULT,
      });
      return { body: { rows: rows.map(toRow), next_cursor: next === null ? null : String(next) } };
    },
    revertCatalog: async ({ actor, body }) => {
      const result = await deps.revertVersion({
        version: body.version,
        isConfirmed: body.confirm === true,
        actor: actorText(actor),
      });
      const refusal = refusalOf(result);
      if (refusal !== null) return { refusal };
      return { body: toApplied(result), etag: String(result.version) };
    },
  };
}

function refusalOf({ faults, conflicts, changes, isApplied }: RevertResult): Refusal | null {
  if (faults.length > 0) {
    return {
      detail: 'The version cannot be reverted. Nothing was changed.',
      errors: faultErrors(faults),
      status: 409,
    };
  }
  if (isApplied || changes.length === 0) return null;
  const errors = conflicts.map((change) => ({
    field: `${change.kind} ${change.id}`,
    detail: changeText(change),
  }));
  return {
    detail:
      conflicts.length === 0
        ? 'More than five objects would be removed. Nothing was changed. If you want that, confirm it (--yes, "confirm": true).'
        : 'Later versions changed the same objects. Nothing was changed. To undo the version all the same, confirm it (--yes, "confirm": true).',
    errors: conflicts.length === 0 ? removalErrors(changes) : errors,
    status: 409,
  };
}

function toRow(change: ObjectChange): Schemas['ObjectChange'] {
  const { version, atMs, actor, kind, id, before, after } = change;
  return {
    version,
    at: toIso(atMs),
    actor,
    kind,
    id,
    change: change.change,
    before: before === null ? null : { ...fieldsNode(kind, before) },
    after: after === null ? null : { ...fieldsNode(kind, after) },
    details: detailsOf(change),
  };
}
