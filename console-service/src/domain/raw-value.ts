/** A number as it was written, in plain decimal or with an exponent, so that no digit is lost on the way in. */
export class NumberText {
  constructor(readonly text: string) {}
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

/** Writes a raw value as JSON that reads back as the same value, digit for digit. */
export function toJsonText(raw: RawValue): string {
  if (raw instanceof NumberText) return /^-?\d/.test(raw.text) ? raw.text : JSON.stringify(raw.text);
  if (isRawList(raw)) return `[${raw.map(toJsonText).join(',')}]`;
  if (isRawMap(raw)) {
    const members = [...raw].map(([key, value]) => `${JSON.stringify(key)}:${toJsonText(value)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(raw);
}
