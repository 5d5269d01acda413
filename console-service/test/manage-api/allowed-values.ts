import fc from 'fast-check';
import type { ValueSchema } from './api-document.js';

/** Most items of a list that are not a boundary. */
const ITEMS_MAX = 4;
/** Longest text that is not a boundary, in code points. */
const CHARS_MAX = 40;
/** Longest list and longest text that are made to meet a boundary. */
const BOUNDARY_MAX = 2_000;

/**
 * The values that a schema allows, boundaries included. Texts have no U+0000 and no half of a surrogate pair: the document
 * rules them out for all requests. `isFull`: objects have every property.
 */
export function allowedValues(schema: ValueSchema, isFull = false): fc.Arbitrary<unknown> {
  if (schema.oneOf !== undefined) {
    const options = isFull ? schema.oneOf.filter(({ type }) => type !== 'null') : schema.oneOf;
    return fc.oneof(...options.map((each) => allowedValues(each, isFull)));
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? 'object'].flat();
  const ofType = (type: string) => valuesOfType(type, schema, isFull);
  return isFull ? ofType(types[0] ?? '') : fc.oneof(...types.map(ofType));
}

function valuesOfType(type: string, schema: ValueSchema, isFull: boolean): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.oneof(integers(schema), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'string':
      return texts(schema);
    case 'array':
      return lists(schema, isFull);
    case 'object':
      return objects(schema, isFull);
    default:
      throw new Error(`no values of the type ${type}`);
  }
}

function integers({ minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: ValueSchema) {
  return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }));
}

function texts({ pattern, minLength = 0, maxLength = BOUNDARY_MAX }: ValueSchema): fc.Arbitrary<string> {
  const hasLength = (text: string): boolean => {
    const { length } = Array.from(text);
    return length >= minLength && length <= maxLength;
  };
  if (pattern !== undefined) {
    return matching(pattern).filter((text) => hasLength(text) && !text.includes('\0'));
  }
  const most = Math.max(minLength, Math.min(maxLength, CHARS_MAX));
  return fc.oneof(
    fc.string({ minLength, maxLength: most }),
    fc.string({ unit: 'binary', minLength, maxLength: most }).filter((text) => !text.includes('\0')),
    fc.constantFrom('x'.repeat(minLength), 'x'.repeat(maxLength), '\u{1F600}'.repeat(maxLength)),
  );
}

const matches = new Map<string, fc.Arbitrary<string>>();

/** The texts that a pattern allows. Its bounded repetitions also have their least and their greatest number. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known = matches.get(pattern);
  if (known !== undefined) return known;
  const boundaries = ['{$1}', '{$2}'].map((count) => pattern.replace(/\{(\d+),(\d+)\}/g, count));
  const made = fc
    .oneof(...[pattern, ...boundaries].map((each) => fc.stringMatching(new RegExp(each, 'u'))))
    .filter((text) => new RegExp(pattern, 'u').test(text));
  matches.set(pattern, made);
  return made;
}

function lists(schema: ValueSchema, isFull: boolean): fc.Arbitrary<readonly unknown[]> {
  const { items = {}, minItems = 0, maxItems = BOUNDARY_MAX, uniqueItems = false } = schema;
  const variety = uniqueItems ? (items.enum?.length ?? BOUNDARY_MAX) : BOUNDARY_MAX;
  const item = allowedValues(items, isFull);
  const of = (minLength: number, maxLength: number): fc.Arbitrary<readonly unknown[]> =>
    uniqueItems ? fc.uniqueArray(item, { minLength, maxLength }) : fc.array(item, { minLength, maxLength });
  const least = isFull ? Math.max(minItems, 1) : minItems;
  return of(least, Math.min(maxItems, variety, Math.max(least, ITEMS_MAX)));
}

function objects(schema: ValueSchema, isFull: boolean): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], maxProperties } = schema;
  const members = Object.entries(properties).map(([name, each]): [string, fc.Arbitrary<unknown>] => [
    name,
    allowedValues(each, isFull),
  ]);
  if (maxProperties === 1)
    return fc.oneof(
      ...members.map(([name, member]) => fc.record({ [name]: member }, { noNullPrototype: true })),
    );
  const model = Object.fromEntries(members);
  return isFull
    ? fc.record(model, { noNullPrototype: true })
    : fc.record(model, { requiredKeys: required.filter((name) => name in model), noNullPrototype: true });
}
