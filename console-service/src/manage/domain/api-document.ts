import { TENANT_ROLES, type Role } from '../../access/domain/actor.js';
import { NAMED_KINDS } from '../../access/domain/permission.js';

/** A schema of JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** A parameter of the document, without references. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  /** False: a list is one text with commas. */
  readonly explode?: boolean;
  /** What the parameter names, one of `NAMED_KINDS`. A tenant may send it only for what it owns. */
  readonly 'x-owner'?: string;
  /** Values of the parameter by the kind of role that they are hidden from, because the answer would show a secret. */
  readonly 'x-hidden-from'?: Readonly<Partial<Record<Role['kind'], readonly string[]>>>;
  readonly schema: Schema;
}

/** An operation of the document. */
export interface ApiOperation {
  readonly operationId: string;
  /** The kinds of roles that may call it. */
  readonly 'x-roles': readonly Role['kind'][];
  /** Empty: the operation needs no key, as the one that logs in. Missing: it does. */
  readonly security?: readonly unknown[];
  /** The operation is about the caller itself, so a tenant need not be limited. */
  readonly 'x-own'?: boolean;
  /** The answer holds a secret. It is not stored for a repeated request. */
  readonly 'x-secret-answer'?: boolean;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** The used parts of the OpenAPI document. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

/** An operation as the server needs it. */
export interface Endpoint {
  readonly operationId: string;
  /** In lower case, such as `get`. */
  readonly method: string;
  /** A path of Express: `/advertisers/:id/deposits`. */
  readonly path: string;
  readonly roles: readonly Role['kind'][];
  readonly parameters: readonly Parameter[];
  /** The media type of the request. Null: it has no body. */
  readonly requestType: string | null;
  /** The media type of the answer. Null: it has no body. */
  readonly answerType: string | null;
  /** JSON pointer of the schema of the request in the document. Null: it has none. */
  readonly bodyPointer: string | null;
  readonly hasSecretAnswer: boolean;
  /** Whether it is about the caller itself. */
  readonly isOwn: boolean;
  /** Whether it is served without a key. */
  readonly isOpen: boolean;
}

/** The header by which a client repeats a request safely. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** The header by which a client changes only what it has read. RFC 9110. */
export const IF_MATCH = 'If-Match';

/** Lists the operations of a document. */
export function endpointsOf(document: ApiDocument): readonly Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => toEndpoint(document, { path, method, operation })),
  );
}

/** Whether a request of the operation needs a header, {@link IDEMPOTENCY_KEY} or {@link IF_MATCH}. */
export function needsHeader({ parameters }: Pick<Endpoint, 'parameters'>, header: string): boolean {
  return parameters.some((parameter) => parameter.in === 'header' && parameter.name === header);
}

/** The parameter of the query that limits an answer to one tenant of a kind. Undefined: the operation has none. */
export function tenantFilterOf(
  { parameters }: Pick<Endpoint, 'parameters'>,
  kind: string,
): Parameter | undefined {
  return parameters.find((parameter) => parameter.in === 'query' && parameter['x-owner'] === kind);
}

/**
 * Whether an operation shows a role no foreign data: the role may not call it, or its answer is limited to the tenant.
 */
export function isDecided(endpoint: Endpoint, kind: Role['kind']): boolean {
  const isTenant = TENANT_ROLES.some((tenant) => tenant === kind);
  if (!isTenant || endpoint.isOwn || !endpoint.roles.includes(kind)) return true;
  const named = endpoint.parameters.filter(({ 'x-owner': what }) => what !== undefined);
  if (named.some(({ 'x-owner': what }) => !NAMED_KINDS.includes(what ?? ''))) return false;
  return named.some(({ required }) => required === true) || tenantFilterOf(endpoint, kind) !== undefined;
}

interface Place {
  readonly path: string;
  readonly method: string;
  readonly operation: ApiOperation;
}

function toEndpoint(document: ApiDocument, { path, method, operation }: Place): Endpoint {
  const requestType = firstOf(operation.requestBody?.content);
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  return {
    operationId: operation.operationId,
    method,
    path: path.replace(/\{(\w+)\}/g, ':$1'),
    roles: operation['x-roles'],
    parameters: (operation.parameters ?? []).map((parameter) => resolved(document, parameter)),
    requestType,
    answerType: firstOf(success?.content),
    bodyPointer:
      requestType === null
        ? null
        : pointerTo(['paths', path, method, 'requestBody', 'content', requestType, 'schema']),
    hasSecretAnswer: operation['x-secret-answer'] ?? false,
    isOwn: operation['x-own'] ?? false,
    isOpen: operation.security?.length === 0,
  };
}

function firstOf(content: Readonly<Record<string, unknown>> | undefined): string | null {
  return Object.keys(content ?? {})[0] ?? null;
}

function resolved(document: ApiDocument, parameter: Parameter | { readonly $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.split('/').pop() ?? '';
  const found = document.components.parameters?.[name];
  if (found === undefined) throw new Error(`the document has no parameter ${name}`);
  return found;
}

/** A JSON pointer as the fragment of a URI. RFC 6901. */
function pointerTo(names: readonly string[]): string {
  return `#${names
    .map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('')}`;
}
