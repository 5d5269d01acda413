import fc from 'fast-check';
import { ADMIN_KEY } from '../support/manage-client.js';
import { allowedValues } from './allowed-values.js';
import type { Operation, RequestParameter, ValueSchema } from './api-document.js';

/** A request to an operation, before it is written. */
export interface ApiRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: it has none. A text is sent as it is when the operation takes no JSON. */
  readonly body?: unknown;
}

/** An answer as it came. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A request as it is written. */
export interface WrittenRequest {
  readonly method: string;
  /** After `/manage/v1`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** Values of which generated requests take one instead of a random value, by the place `path id` and the name of a member. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** The requests that the document allows. `isFull`: every parameter and member is there. */
export function allowedRequests(
  operation: Operation,
  known: KnownValues,
  isFull = false,
): fc.Arbitrary<ApiRequest> {
  const parametersIn = (place: RequestParameter['in']): fc.Arbitrary<Record<string, unknown>> => {
    const own = operation.requested.filter((parameter) => parameter.in === place);
    const model = Object.fromEntries(
      own.map((parameter) => [parameter.name, parameterValues(operation, parameter, known, isFull)]),
    );
    const requiredKeys = own.filter(({ isRequired }) => isFull || isRequired).map(({ name }) => name);
    return fc.record(model, { requiredKeys, noNullPrototype: true });
  };
  const body: fc.Arbitrary<unknown> =
    operation.body === null ? fc.constant(undefined) : allowedValues(operation.body, isFull);
  return fc.record({
    path: parametersIn('path'),
    query: parametersIn('query'),
    headers: parametersIn('header') as fc.Arbitrary<Record<string, string>>,
    body,
  });
}

/** Longest text in an address, escaped. Servers refuse a longer address before they read it. */
const ESCAPED_MAX = 2_000;

function parameterValues(
  { path, method }: Operation,
  parameter: RequestParameter,
  known: KnownValues,
  isFull: boolean,
): fc.Arbitrary<unknown> {
  const { name, in: place, schema } = parameter;
  const values = allowedValues(schema, isFull).filter((value) => isWritable(parameter, value));
  // What is known is there for the other operations, so nothing removes it.
  if (place === 'path' && method === 'delete') return values;
  const { pattern = '' } = schema;
  const pool = known[place === 'path' ? `path ${path.split('/')[1] ?? ''}` : name] ?? [];
  const fitting = pool
    .filter((value) => new RegExp(pattern, 'u').test(String(value)))
    .map((value) => (isList(schema) ? [value] : value));
  return fitting.length === 0 ? values : fc.oneof(values, fc.constantFrom(...fitting));
}

/** Whether a value can be written at its place without a change of its meaning. */
function isWritable({ in: place, schema }: RequestParameter, value: unknown): boolean {
  // An address with an empty part names another operation, and clients resolve dots.
  if (place === 'path' && ['', '.', '..'].includes(String(value))) return false;
  if (place === 'header') return /^[!-~](?:[ -~]*[!-~])?$/.test(String(value));
  if (encodeURIComponent(String(value)).length > ESCAPED_MAX) return false;
  return !isList(schema) || (value as readonly unknown[]).every((item) => !String(item).includes(','));
}

function isList({ type }: ValueSchema): boolean {
  return type === 'array';
}

/** Writes a request as a client does. */
export function write(operation: Operation, { path, query, headers, body }: ApiRequest): WrittenRequest {
  const { method, template, requestType } = operation;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const search = Object.entries(query)
    .filter(([, value]) => !Array.isArray(value) || value.length > 0)
    .map(([name, value]) => `${encodeURIComponent(name)}=${queryText(value)}`)
    .join('&');
  const typed = body === undefined || requestType === null ? {} : { 'Content-Type': requestType };
  return {
    method: method.toUpperCase(),
    target: search === '' ? filled : `${filled}?${search}`,
    headers: { ...typed, ...headers },
    body: bodyText(requestType, body),
  };
}

function queryText(value: unknown): string {
  return [value]
    .flat()
    .map((item) => encodeURIComponent(String(item)))
    .join(',');
}

function bodyText(requestType: string | null, body: unknown): string | null {
  if (body === undefined) return null;
  return requestType !== 'application/json' && typeof body === 'string' ? body : JSON.stringify(body);
}

/** Sends a request to the API at a port, with the key of an administrator unless its headers have another. */
export async function send(port: number, written: WrittenRequest): Promise<ApiAnswer> {
  const { method, target, headers, body } = written;
  const answer = await fetch(`http://127.0.0.1:${port}/manage/v1${target}`, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, ...headers },
    body,
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
