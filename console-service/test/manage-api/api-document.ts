import { loadText } from '@placard/service-kit/files';
import {
  endpointsOf,
  type ApiDocument,
  type Endpoint,
  type Schema,
} from '../../src/manage/domain/api-document.js';

/** The part of JSON Schema that requests in the document use, without references. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly maxProperties?: number;
  readonly oneOf?: readonly ValueSchema[];
}

/** A parameter as the tests need it. */
export interface RequestParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly schema: ValueSchema;
}

/** An operation of the document with the schemas of its request. */
export interface Operation extends Endpoint {
  /** As in the document: `/campaigns/{id}`. */
  readonly template: string;
  readonly requested: readonly RequestParameter[];
  /** Null: it has no body. */
  readonly body: ValueSchema | null;
}

/** A response of the document. */
interface DocumentedResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** What the document says of an answer. */
export interface DocumentedAnswer {
  /** Null: it has no body. */
  readonly mediaType: string | null;
  /** JSON pointer of its schema. Null: it has no body. */
  readonly pointer: string | null;
  /** Names of the documented headers. */
  readonly headers: readonly string[];
}

/** The document of the management API. */
export const DOCUMENT = JSON.parse(loadText(import.meta.url, '../../openapi.json')) as ApiDocument;

/** Every operation of it. */
export const OPERATIONS: readonly Operation[] = endpointsOf(DOCUMENT).map((endpoint) => ({
  ...endpoint,
  template: endpoint.path.replace(/:(\w+)/g, '{$1}'),
  requested: endpoint.parameters.map(({ name, in: place, required, schema }) => ({
    name,
    in: place,
    isRequired: required === true,
    schema: resolved(schema),
  })),
  body: endpoint.bodyPointer === null ? null : resolved(partAt(endpoint.bodyPointer) as Schema),
}));

/** What the document says of the answer of an operation with a status. Null: nothing. */
export function documentedAnswer({ template, method }: Operation, status: number): DocumentedAnswer | null {
  const responses = DOCUMENT.paths[template]?.[method]?.responses ?? {};
  const key = [String(status), `${String(status).charAt(0)}XX`].find((each) => each in responses);
  if (key === undefined) return null;
  const pointer = `#/paths/${token(template)}/${method}/responses/${key}`;
  const response = responses[key] as DocumentedResponse;
  const where = response.$ref ?? pointer;
  const { content, headers } = response.$ref === undefined ? response : (partAt(where) as DocumentedResponse);
  const mediaType = Object.keys(content ?? {})[0] ?? null;
  return {
    mediaType,
    pointer: mediaType === null ? null : `${where}/content/${token(mediaType)}/schema`,
    headers: Object.keys(headers ?? {}),
  };
}

function token(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function partAt(pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((found, name) => (found as Readonly<Record<string, unknown>>)[name], DOCUMENT);
}

/** A schema with its references in place. The schemas of requests are not recursive. */
function resolved(schema: Schema): ValueSchema {
  return replaceReferences(schema) as ValueSchema;
}

function replaceReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(replaceReferences);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...own } = value as { readonly $ref?: unknown };
  const target = typeof $ref === 'string' ? (partAt($ref) as object) : {};
  return Object.fromEntries(
    Object.entries({ ...target, ...own }).map(([name, member]) => [name, replaceReferences(member)]),
  );
}
