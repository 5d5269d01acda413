import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { DOCUMENT, documentedAnswer, type Operation } from './api-document.js';
import type { ApiAnswer } from './requests.js';

/** A stack, a statement or a message of Postgres, or a file of the program. */
const INSIDE =
  /\n\s+at |node_modules|\.[jt]s:\d+|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z"]|invalid byte sequence|relation "|column "|violates |SQLSTATE|unicode escape/;
const PROBLEM_TYPE = 'application/problem+json';
const DOCUMENT_ID = 'document';

const PARTS = new Set(extended(DOCUMENT));
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictSchema: false });
addFormats.default(ajv);
ajv.addSchema(withoutMore(DOCUMENT) as object, DOCUMENT_ID);
const compiled = new Map<string, ValidateFunction>();

/** Expects that an answer is as documented: its status, headers and body. `what` is the request, for messages. */
export function expectDocumented(operation: Operation, answer: ApiAnswer, what: string): void {
  const { status, headers, text } = answer;
  const said = `${what}: ${status} ${text.slice(0, 500)}`;
  expect(status, said).to.be.below(500);
  expect(text, said).not.to.match(INSIDE);
  expect(headers.get('x-request-id'), said).to.match(/^\S+$/);
  expect(headers.get('cache-control'), said).to.equal('no-store, private');
  if (status >= 400) expectProblem(answer, said);
  const documented = documentedAnswer(operation, status);
  if (documented === null) throw new Error(`the document has no such status: ${said}`);
  expect(headers.has('etag'), `ETag: ${said}`).to.equal(documented.headers.includes('ETag'));
  const { mediaType, pointer } = documented;
  if (mediaType === null || pointer === null) {
    expect(text, said).to.equal('');
    return;
  }
  expect(headers.get('content-type')?.split(';')[0], said).to.equal(mediaType);
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT_ID}${pointer}` });
  compiled.set(pointer, validate);
  const body: unknown = mediaType.endsWith('json') ? JSON.parse(text) : text;
  expect(validate(body) ? null : validate.errors, said).to.equal(null);
}

/** RFC 9457, and the headers that belong to a status. */
function expectProblem({ status, headers, text }: ApiAnswer, said: string): void {
  expect(headers.get('content-type'), said).to.match(new RegExp(`^${PROBLEM_TYPE.replace('+', '\\+')}(;|$)`));
  const problem = JSON.parse(text) as Readonly<Record<string, unknown>>;
  expect(problem, said).to.include({
    type: 'about:blank',
    status,
    request_id: headers.get('x-request-id'),
  });
  for (const member of ['title', 'detail', 'code'])
    expect(problem[member], `${member}: ${said}`).to.be.a('string').and.not.equal('');
  if (status === 401) expect(headers.get('www-authenticate'), said).to.equal('Bearer');
  if (status === 405) expect(headers.get('allow'), said).to.match(/^[A-Z]+(, [A-Z]+)*$/);
  if (status === 429) expect(headers.get('retry-after'), said).to.match(/^\d+$/);
}

/** The document with objects that have no members beside the documented ones, so that an undocumented one is noticed. */
function withoutMore(value: unknown, at = '#', isPart = false): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutMore(item, `${at}/${index}`, isPart));
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Readonly<Record<string, unknown>>;
  const members = Object.entries(schema).map(([name, member]) => [
    name,
    withoutMore(member, `${at}/${name}`, name === 'allOf'),
  ]);
  const isOpen = isPart || PARTS.has(at) || 'additionalProperties' in schema;
  const closes = !isOpen && ('allOf' in schema || isObject(schema));
  return Object.fromEntries(closes ? [...members, ['unevaluatedProperties', false]] : members);
}

function isObject({ type, properties }: Readonly<Record<string, unknown>>): boolean {
  return type === 'object' && typeof properties === 'object';
}

/** The schemas that others extend. */
function extended(value: unknown, isPart = false): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isPart && name === '$ref'
      ? [String(member)]
      : extended(member, name === 'allOf' || (isPart && Array.isArray(value))),
  );
}
