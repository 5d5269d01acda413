import { brokenTexts, brokenValues, type BrokenValue } from './broken-values.js';
import type { Operation, RequestParameter } from './api-document.js';
import { write, type ApiRequest, type WrittenRequest } from './requests.js';

/** A request that breaks one rule of the document. */
export interface BrokenRequest {
  readonly rule: string;
  readonly written: WrittenRequest;
  /** The statuses that the documentation allows for it. */
  readonly statuses: readonly number[];
}

/** Of a request whose content is refused. */
const REFUSED = [422];
/** Of a request that cannot be read. */
const UNREADABLE = [400];
/** Of an address that names nothing. */
const NOWHERE = [404];
const KEY = 'Idempotency-Key';

/** Breaks each rule of an operation's request once. `full` is an allowed request with every parameter and member. */
export function brokenRequests(operation: Operation, full: ApiRequest): readonly BrokenRequest[] {
  return [
    ...operation.requested.flatMap((parameter) => brokenParameters(operation, parameter, full)),
    ...brokenAddresses(operation, full),
    ...brokenHeaders(operation, full),
    ...brokenBodies(operation, full),
  ];
}

function brokenParameters(
  operation: Operation,
  parameter: RequestParameter,
  full: ApiRequest,
): readonly BrokenRequest[] {
  const { name, in: place, isRequired } = parameter;
  if (place === 'header') return [];
  const found = textsFor(parameter, full[place][name])
    .filter(({ value }) => place === 'query' || value !== '')
    .map(({ rule, value }) => ({
      rule: `${place} ${name}: ${rule}`,
      written: write(operation, { ...full, [place]: { ...full[place], [name]: value } }),
      statuses: rule.endsWith('has U+0000') ? UNREADABLE : REFUSED,
    }));
  if (place === 'path') return found;
  const { [name]: given, ...others } = full.query;
  if (isRequired)
    found.push({
      rule: `query ${name}: is missing`,
      written: write(operation, { ...full, query: others }),
      statuses: REFUSED,
    });
  if (given !== undefined) {
    const once = write(operation, { ...full, query: { [name]: [given].flat()[0] } });
    const target = write(operation, full).target + `&${once.target.split('?')[1] ?? ''}`;
    found.push({ rule: `query ${name}: is given twice`, written: { ...once, target }, statuses: REFUSED });
  }
  return found;
}

/** Texts that break a rule of a parameter. */
function textsFor({ schema }: RequestParameter, valid: unknown): readonly BrokenValue[] {
  const notNumbers = ['', 'x', '0x10', '1e1', ' 7', '+7', '7.0'].map((value) => ({
    rule: `is ${value}`,
    value,
  }));
  const notWords = ['', 'yes', '1', 'TRUE'].map((value) => ({ rule: `is ${value}`, value }));
  const found = brokenValues(schema, valid).filter(({ value }) => isText(value));
  switch (schema.type) {
    case 'integer':
      return [...notNumbers, ...found.filter(({ value }) => typeof value === 'number')];
    case 'boolean':
      return notWords;
    case 'array':
      return found.filter(({ value }) => Array.isArray(value) && value.length > 0);
    default:
      return schema.enum === undefined ? brokenTexts(schema).filter(({ value }) => isText(value)) : found;
  }
}

/** Whether a value can stand in an address: half of a surrogate pair cannot. */
function isText(value: unknown): boolean {
  return [value]
    .flat()
    .every((item) => ['string', 'number'].includes(typeof item) && !/\p{Cs}/u.test(String(item)));
}

function brokenAddresses(operation: Operation, full: ApiRequest): readonly BrokenRequest[] {
  const written = write(operation, full);
  const [where = '', search = ''] = written.target.split('?');
  const isIn = operation.requested.some(({ in: place }) => place === 'path');
  const found: BrokenRequest[] = [
    {
      rule: 'the query has an unknown parameter',
      written: { ...written, target: `${where}?${search === '' ? '' : `${search}&`}no_such_parameter=1` },
      statuses: REFUSED,
    },
    {
      rule: 'the query is not UTF-8',
      written: { ...written, target: `${where}?${search === '' ? '' : `${search}&`}x=%ff` },
      statuses: UNREADABLE,
    },
    { rule: 'the path goes on', written: { ...written, target: `${where}/no/such` }, statuses: NOWHERE },
    { rule: 'the path ends with a slash', written: { ...written, target: `${where}/` }, statuses: NOWHERE },
    {
      rule: 'the method is not documented',
      written: { ...written, method: 'OPTIONS', body: null },
      statuses: [405],
    },
  ];
  if (isIn)
    found.push({
      rule: 'the path is not UTF-8',
      written: { ...written, target: operation.template.replace(/\{\w+\}/g, '%ff') },
      statuses: UNREADABLE,
    });
  return found;
}

function brokenHeaders(operation: Operation, full: ApiRequest): readonly BrokenRequest[] {
  const { isOpen, requested } = operation;
  const without = (name: string) =>
    Object.fromEntries(Object.entries(full.headers).filter(([each]) => each !== name));
  const written = (headers: ApiRequest['headers']) => write(operation, { ...full, headers });
  const found: BrokenRequest[] = [];
  if (!isOpen) {
    for (const text of [
      '',
      'Bearer',
      'Bearer x',
      'Basic YTpi',
      `Bearer plk_${'1'.repeat(16)}_${'1'.repeat(64)}`,
    ])
      found.push({
        rule: `Authorization: ${text}`,
        written: written({ ...full.headers, Authorization: text }),
        statuses: [401],
      });
  }
  for (const { name } of requested.filter(({ in: place }) => place === 'header')) {
    const isKey = name === KEY;
    found.push({
      rule: `${name} is missing`,
      written: written(without(name)),
      statuses: isKey ? REFUSED : [428],
    });
    for (const value of isKey ? ['', 'k'.repeat(201)] : ['', '7', '"0"', 'W/"7"', '*', '"7", "8"'])
      found.push({
        rule: `${name} is ${value.slice(0, 10)}`,
        written: written({ ...full.headers, [name]: value }),
        statuses: REFUSED,
      });
  }
  return found;
}

function brokenBodies(operation: Operation, full: ApiRequest): readonly BrokenRequest[] {
  const { body, requestType } = operation;
  if (body === null || requestType === null) return [];
  const written = write(operation, full);
  const withBody = (
    rule: string,
    sent: WrittenRequest['body'],
    statuses: readonly number[],
  ): BrokenRequest => ({
    rule: `the body ${rule}`,
    written: { ...written, body: sent },
    statuses,
  });
  const withType = (type: string): BrokenRequest => ({
    rule: `the body is of the type ${type}`,
    written: { ...written, headers: { ...written.headers, 'Content-Type': type } },
    statuses: [415],
  });
  const found = [
    withBody('is not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), UNREADABLE),
    withType('text/plain'),
    withType('application/x-www-form-urlencoded'),
    withType(`${requestType}; charset=utf-16`),
    {
      rule: 'the body has an unknown encoding',
      written: { ...written, headers: { ...written.headers, 'Content-Encoding': 'zstd-x' } },
      statuses: [415],
    },
  ];
  if (requestType !== 'application/json') return found;
  return [
    ...found,
    withBody('is missing', null, [400, 415]),
    withBody('is empty', '', [400, 415]),
    withBody('is not JSON', '{', UNREADABLE),
    withBody('is too deep', '['.repeat(3_000) + ']'.repeat(3_000), UNREADABLE),
    withBody('has a member twice', '{"a":1,"a":1}', REFUSED),
    withBody('is too large', JSON.stringify('x'.repeat(1024 * 1024)), [413]),
    ...brokenValues(body, full.body).map(({ rule, value }) =>
      withBody(`: ${rule}`, JSON.stringify(value), REFUSED),
    ),
  ];
}
