import type { ValueSchema } from './api-document.js';

/** A value that breaks exactly one rule of its schema. */
export interface BrokenValue {
  /** Such as `role: is too long`. */
  readonly rule: string;
  readonly value: unknown;
}

const OF_TYPE: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  number: 1.5,
  string: 'text',
  array: [],
  object: {},
};
/** Texts of which no pattern of the document allows all. */
const ODD_TEXTS = ['', '?', 'ä b', '0', 'x'.repeat(300)];

/** Breaks each rule of a schema once. `valid` is a value that it allows; its objects have every property. */
export function brokenValues(schema: ValueSchema, valid: unknown): readonly BrokenValue[] {
  const options = schema.oneOf ?? [schema];
  const types = options.flatMap(({ type = 'object' }) => [type].flat());
  const wrongTypes = Object.entries(OF_TYPE)
    .filter(([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')))
    .slice(0, 2)
    .map(([type, value]) => ({ rule: `is of the type ${type}`, value }));
  const main = options.find(({ type }) => type !== 'null') ?? schema;
  return [...wrongTypes, ...brokenInside(main, types, valid)];
}

function brokenInside(schema: ValueSchema, types: readonly string[], valid: unknown): readonly BrokenValue[] {
  if (schema.enum !== undefined) return [{ rule: 'is no word of the list', value: 'no_such_word' }];
  if (types.includes('string')) return brokenTexts(schema);
  if (types.includes('integer')) return brokenIntegers(schema);
  if (types.includes('array')) return brokenLists(schema, valid);
  return types.includes('object') ? brokenObjects(schema, valid) : [];
}

/** Texts that break a rule, and those that no request may have. */
export function brokenTexts({ pattern, minLength = 0, maxLength }: ValueSchema): readonly BrokenValue[] {
  const found: BrokenValue[] = [
    { rule: 'has U+0000', value: 'a\0b' },
    { rule: 'has half of a surrogate pair', value: 'a\ud800b' },
  ];
  if (minLength > 0) found.push({ rule: 'is too short', value: 'x'.repeat(minLength - 1) });
  if (maxLength !== undefined) found.push({ rule: 'is too long', value: 'x'.repeat(maxLength + 1) });
  if (pattern !== undefined) {
    const odd = ODD_TEXTS.filter((text) => !new RegExp(pattern, 'u').test(text));
    found.push(...odd.map((value) => ({ rule: `does not match: ${value.slice(0, 10)}`, value })));
  }
  return found;
}

/** Numbers that break a rule. */
export function brokenIntegers({ minimum, maximum }: ValueSchema): readonly BrokenValue[] {
  const found: BrokenValue[] = [{ rule: 'is no integer', value: 1.5 }];
  if (minimum !== undefined) found.push({ rule: 'is too small', value: minimum - 1 });
  if (maximum !== undefined) found.push({ rule: 'is too large', value: maximum + 1 });
  return found;
}

/** Lists that break a rule. `valid` is not empty. */
export function brokenLists(schema: ValueSchema, valid: unknown): readonly BrokenValue[] {
  const { items = {}, minItems = 0, maxItems, uniqueItems = false } = schema;
  const [first, ...others] = valid as readonly unknown[];
  const found: BrokenValue[] = brokenValues(items, first).map(({ rule, value }) => ({
    rule: `an item ${rule}`,
    value: [value, ...others],
  }));
  if (minItems > 0) found.push({ rule: 'has too few items', value: [] });
  if (uniqueItems) found.push({ rule: 'has an item twice', value: [first, first] });
  if (maxItems !== undefined && items.enum === undefined && items.pattern === undefined) {
    const value = Array.from({ length: maxItems + 1 }, (_, index) => `x${index}`);
    found.push({ rule: 'has too many items', value });
  }
  return found;
}

function brokenObjects(schema: ValueSchema, valid: unknown): readonly BrokenValue[] {
  const { properties = {}, required = [], maxProperties } = schema;
  const given = valid as Readonly<Record<string, unknown>>;
  const without = (name: string) =>
    Object.fromEntries(Object.entries(given).filter(([each]) => each !== name));
  const found: BrokenValue[] = [
    ...required.map((name) => ({ rule: `${name} is missing`, value: without(name) })),
    ...Object.keys(given).flatMap((name) =>
      brokenValues(properties[name] ?? {}, given[name]).map(({ rule, value }) => ({
        rule: `${name}: ${rule}`,
        value: { ...given, [name]: value },
      })),
    ),
  ];
  const unknown = maxProperties === 1 ? { no_such_member: 1 } : { ...given, no_such_member: 1 };
  found.push({ rule: 'has an unknown member', value: unknown });
  if (maxProperties === 1) found.push({ rule: 'has no member', value: {} });
  return found;
}
