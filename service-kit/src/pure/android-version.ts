/** Most digits of a version. A longer run of digits is not a version. */
const VERSION_DIGITS_MAX = 4;
const LEADING_INTEGER = /^\s*(\d+)/;

/**
 * The major version of Android: the leading integer, so that `8.1.0` is 8 and `014` is 14. Null: there is none
 * (`Tiramisu`, `-14`), and the version counts as absent. Contract: docs/contract/selection.md#android-version.
 */
export function androidMajor(text: string | null): number | null {
  const digits = (text === null ? null : LEADING_INTEGER.exec(text))?.[1]?.replace(/^0+(?=\d)/, '');
  if (digits === undefined || digits.length > VERSION_DIGITS_MAX) return null;
  return Number(digits);
}
