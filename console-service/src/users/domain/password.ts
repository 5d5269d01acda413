/** Fewest and most characters of a password. */
const CHARS_MIN = 12;
const CHARS_MAX = 128;
/** At least the UTF-16 units of any one composed character before it is composed. */
const UNITS_PER_CHARACTER_MAX = 8;

/** A password in its one spelling, or why it is refused. */
export type ReadPassword = { readonly password: string } | { readonly fault: string };

/**
 * Reads a password. Its spelling is Unicode's composed form (NFC), so that it is the same from every keyboard. Its length is
 * counted in code points. Nothing else is asked of it: rules of composition make passwords worse.
 */
export function readPassword(raw: string): ReadPassword {
  const wanted = `must have ${CHARS_MIN} to ${CHARS_MAX} characters`;
  // The time of a composition grows with the square of the length.
  if (raw.length > CHARS_MAX * UNITS_PER_CHARACTER_MAX) return { fault: wanted };
  if (/\p{Cs}/u.test(raw)) return { fault: 'must not hold half of a surrogate pair' };
  const password = raw.normalize('NFC');
  const count = Array.from(password).length;
  return count < CHARS_MIN || count > CHARS_MAX ? { fault: wanted } : { password };
}
