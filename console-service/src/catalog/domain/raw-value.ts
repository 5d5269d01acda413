/** Deepest nesting of lists and mappings in a catalog file. */
export const DEPTH_MAX = 32;

/** A number as it was written, in plain decimal or with an exponent, so that no digit is lost on the way in. */
export class NumberText {
  constructor(readonly text: string) {}

  /** As the key of a mapping a number is the text that stands there. */
  toString(): string {
    return this.text;
  }

  get [Symbol.toStringTag](): string {
    return 'NumberText';
  }
}

/** What a catalog file holds before it is understood. Mappings are Maps, so that no key is special. */
export type RawValue = null | boolean | string | NumberText | readonly RawValue[] | RawMap;

/** A mapping of a catalog file; a key that is no text is turned into one. */
export type RawMap = ReadonlyMap<string, RawValue>;

/** Narrows a raw value to a mapping. */
export function isRawMap(raw: RawValue): raw is RawMap {
  return raw instanceof Map;
}

/** Narrows a raw value to a list. */
export function isRawList(raw: RawValue): raw is readonly RawValue[] {
  return Array.isArray(raw);
}
