import { NumberText, type RawMap, type RawValue } from '../../catalog/domain/raw-value.js';

/** The body of a request in the form that the reader of catalog files takes. */
export function toRawMap(body: object): RawMap {
  return new Map(Object.entries(body).map(([name, value]) => [name, toRawValue(value)]));
}

function toRawValue(value: unknown): RawValue {
  if (Array.isArray(value)) return value.map((item) => toRawValue(item));
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      return new NumberText(String(value));
    case 'object':
      return value === null ? null : toRawMap(value);
    default:
      throw new TypeError(`JSON has no ${typeof value}`);
  }
}
