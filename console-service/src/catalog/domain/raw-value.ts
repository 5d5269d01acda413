/** Deepest nesting of lists and mappings in a catalog file, and of lists and objects in a body of the management API. */
export const DEPTH_MAX = 32;

/** The written form of a number, in plain decimal or with an exponent, so that no digit is lost. */
export class NumberText {
  constructor(readonly text: string) {}

  /** The written text, for a number that is the key of a mapping. */
  toString(): string {
    return this.text;
  }

  get [Symbol.toStringTag](): string {
    return 'NumberText';
  }
}

/** Parsed content of a catalog file before it is checked. Mappings are Maps, so that no key is special. */
export type RawValue = null | boolean | string | NumberText | readonly RawValue[] | RawMap;

/** A mapping of a catalog file. Keys are converted to text. */
export type RawMap = ReadonlyMap<string, RawValue>;

/** Narrows a raw value to a mapping. */
export function isRawMap(raw: RawValue): raw is RawMap {
  return raw instanceof Map;
}

/** Narrows a raw value to a list. */
export function isRawList(raw: RawValue): raw is readonly RawValue[] {
  return Array.isArray(raw);
}

/** A raw value as `JSON.parse` makes it: mappings become objects. `numberOf` makes a number of its written form. */
export function toJson(raw: RawValue, numberOf: (text: string) => unknown): unknown {
  if (raw instanceof NumberText) return numberOf(raw.text);
  if (isRawList(raw)) return raw.map((item) => toJson(item, numberOf));
  if (!isRawMap(raw)) return raw;
  return Object.fromEntries([...raw].map(([key, member]) => [key, toJson(member, numberOf)]));
}
