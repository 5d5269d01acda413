import type { components, operations } from '../../../gen/manage-api.js';
import type { Actor } from '../../access/domain/actor.js';
import type { Tenant } from '../../access/domain/permission.js';

/** The name of an operation in the OpenAPI document. */
export type OperationId = keyof operations;

/** A generated type, read only. */
type Immutable<T> = T extends (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T;

/** The schemas of the document by name. */
export type Schemas = Immutable<components['schemas']>;

/** A fault of a request, see the document. */
export type FieldError = Schemas['FieldError'];

/** Without any member. */
type Nothing = Readonly<Record<string, never>>;
type Present<T> = [NonNullable<T>] extends [never] ? Nothing : Immutable<NonNullable<T>>;
type ContentOf<T> = T extends { content: infer Content } ? Immutable<Content[keyof Content]> : undefined;
type SuccessOf<T> = T extends { 200: infer Answer }
  ? Answer
  : T extends { 201: infer Answer }
    ? Answer
    : undefined;

type VersionOf<Id extends OperationId> = Id extends OperationId
  ? operations[Id]['parameters']['header'] extends { 'If-Match': string }
    ? number
    : null
  : never;

/** The operations that need no key; the document says `security: []`. */
export type OpenOperation = 'beginSession';

/** A request that fits the document, from a caller that may send it. */
export interface OperationRequest<Id extends OperationId> {
  /** Null: anyone. */
  readonly actor: Id extends OpenOperation ? null : Actor;
  /** The tenant whose data the answer is limited to. Null: all data. */
  readonly tenant: Tenant | null;
  readonly path: Present<operations[Id]['parameters']['path']>;
  readonly query: Present<operations[Id]['parameters']['query']>;
  readonly body: ContentOf<operations[Id] extends { requestBody: infer Body } ? Body : undefined>;
  /** The version in `If-Match`. Null: the operation has no such header. */
  readonly ifMatch: VersionOf<Id>;
}

/** The answer to a request: a result, or the refusal of its content. */
export type OperationAnswer<Id extends OperationId> =
  | {
      readonly body: ContentOf<SuccessOf<operations[Id]['responses']>>;
      /** Default: 200, or 204 without a body. */
      readonly status?: number;
      /** The version of what is answered, without quotes. */
      readonly etag?: string;
    }
  | { readonly refusal: Refusal };

/** Why a request is refused. It becomes a problem. */
export interface Refusal {
  /** What is wrong, in a sentence or two. */
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /**
   * 403: the role of the caller may not send this content. 409: what is stored stands against it. 412: it is for another
   * version. 422, the default: its content is wrong.
   */
  readonly status?: 403 | 409 | 412 | 422;
}

/** Serves one operation. Throws an `AppError` when it fails. */
export type Handler<Id extends OperationId> = (request: OperationRequest<Id>) => Promise<OperationAnswer<Id>>;

/** The handlers of some operations. A feature makes those of its own operations. */
export type RoutesOf<Ids extends OperationId> = { readonly [Id in Ids]: Handler<Id> };

/** The handlers of all operations. */
export type ManageRoutes = RoutesOf<OperationId>;
