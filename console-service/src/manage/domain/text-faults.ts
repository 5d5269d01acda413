import type { FieldError } from './operations.js';

/** The place of a fault: `amount`, `targeting.countries[0]`; `body` for the whole. */
export function fieldName(names: readonly string[]): string {
  const path = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`));
  return path.join('').replace(/^\./, '') || 'body';
}

/**
 * The faults of the texts in a value of JSON, names of members included: U+0000, which Postgres cannot store, and half of a
 * surrogate pair, which is no character. The faulty text is not repeated.
 */
export function textFaults(value: unknown, at: readonly string[] = []): readonly FieldError[] {
  if (typeof value === 'string') return isReadable(value) ? [] : [{ field: fieldName(at), detail: DETAIL }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isReadable(name) ? textFaults(member, [...at, name]) : [{ field: fieldName(at), detail: DETAIL }],
  );
}

/** With the flag `u` the two halves of a pair are one character, so only half of a pair is in Cs. */
const UNREADABLE = /[\0\p{Cs}]/u;
const DETAIL = 'must not hold U+0000 or half of a surrogate pair';

function isReadable(text: string): boolean {
  return !UNREADABLE.test(text);
}
