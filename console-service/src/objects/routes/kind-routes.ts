import type { Actor } from '../../access/domain/actor.js';
import { actorText, mayMoveMoney } from '../../access/domain/permission.js';
import { KINDS, parentKindOf, type ObjectKind } from '../../catalog/domain/kinds.js';
import { toApplied } from '../../catalog/routes/applied.js';
import type { Refusal, Schemas } from '../../manage/domain/operations.js';
import type { WriteResult } from '../domain/object-write.js';
import { toRawMap } from '../domain/raw-body.js';
import type { VersionedObject } from '../domain/versioned-object.js';
import type { ChangeObject } from '../usecase/change-object.js';
import type { CreateObject } from '../usecase/create-object.js';
import type { GetObject } from '../usecase/get-object.js';
import type { ListObjects } from '../usecase/list-objects.js';
import type { RemoveObject } from '../usecase/remove-object.js';
import { objectJson } from './object-json.js';
import { writeRefusal } from './write-refusal.js';

/** The use cases of the operations on objects. */
export interface ObjectsRoutesDeps {
  readonly listObjects: ListObjects;
  readonly getObject: GetObject;
  readonly createObject: CreateObject;
  readonly changeObject: ChangeObject;
  readonly removeObject: RemoveObject;
}

/** The query of a list. No kind has all of these filters. */
export interface ListQuery extends Partial<Readonly<Record<ObjectKind, string>>> {
  readonly id?: string;
  readonly name?: string;
  readonly status?: string;
  readonly approved?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

interface AtPath {
  readonly path: { readonly id: string };
}

interface Write {
  readonly actor: Actor;
}

type Written =
  | { readonly body: Schemas['Applied']; readonly status: number; readonly etag: string }
  | { readonly refusal: Refusal };

/** The handlers of one kind of object. `Row` is its schema in the document. */
export interface KindRoutes<Row> {
  list(request: { readonly query: ListQuery }): Promise<{
    readonly body: { readonly rows: readonly Row[]; readonly next_cursor: string | null };
  }>;
  get(request: AtPath): Promise<{ readonly body: Row; readonly etag: string }>;
  create(request: Write & { readonly body: object }): Promise<Written>;
  change(request: Write & AtPath & { readonly body: object; readonly ifMatch: number }): Promise<Written>;
  remove(
    request: Write & AtPath & { readonly query: { readonly confirm?: boolean }; readonly ifMatch: number },
  ): Promise<Written>;
}

/** Rows of an answer, when the request does not say. */
const ROWS_DEFAULT = 50;

/** Makes {@link KindRoutes}. */
export function kindRoutes<Row>(kind: ObjectKind, deps: ObjectsRoutesDeps): KindRoutes<Row> {
  const parentKind = parentKindOf(kind);
  const grandparentKind = parentKind === null ? null : parentKindOf(parentKind);
  const toRow = (object: VersionedObject): Row => objectJson(object) as Row;
  return {
    async list({ query }) {
      const idOf = (ancestor: ObjectKind | null): string | null =>
        ancestor === null ? null : (query[ancestor] ?? null);
      const { rows, next } = await deps.listObjects({
        kind,
        id: query.id ?? null,
        parentId: idOf(parentKind),
        grandparentId: idOf(grandparentKind),
        nameBegin: query.name ?? null,
        status: query.status ?? null,
        isApproved: query.approved ?? null,
        after: query.cursor ?? null,
        rowsMax: query.limit ?? ROWS_DEFAULT,
      });
      return { body: { rows: rows.map(toRow), next_cursor: next } };
    },
    async get({ path: { id } }) {
      const object = await deps.getObject(kind, id);
      return { body: toRow(object), etag: String(object.version) };
    },
    async create({ actor, body }) {
      const given = toRawMap(body);
      const isMoneyAllowed = mayMoveMoney(actor.role);
      const result = await deps.createObject({ kind, body: given, actor: actorText(actor), isMoneyAllowed });
      const id = given.get(KINDS[kind].idField);
      return toWritten({ kind, id: typeof id === 'string' ? id : '' }, result, 201);
    },
    async change({ actor, path: { id }, body, ifMatch }) {
      const request = { kind, id, ifMatch, body: toRawMap(body), actor: actorText(actor) };
      return toWritten({ kind, id }, await deps.changeObject(request), 200);
    },
    async remove({ actor, path: { id }, query, ifMatch }) {
      const isConfirmed = query.confirm === true;
      const request = { kind, id, ifMatch, isConfirmed, actor: actorText(actor) };
      return toWritten({ kind, id }, await deps.removeObject(request), 200);
    },
  };
}

function toWritten(
  object: { readonly kind: ObjectKind; readonly id: string },
  result: WriteResult,
  status: number,
): Written {
  if (result.refusal !== null) return { refusal: writeRefusal(object, result.refusal) };
  return { body: toApplied(result), status, etag: String(result.version) };
}
