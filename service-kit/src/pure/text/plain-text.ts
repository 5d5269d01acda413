import { UNSEEN_CLASS } from '../unseen.js';

/** Half a surrogate pair, a control character, a line separator, or a code point that is no character. */
const CONTROL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;
const UNSEEN = new RegExp(`[${UNSEEN_CLASS}]`, 'u');
/** Blanks that look like U+0020. */
const OTHER_BLANK = /(?! )\p{White_Space}/u;
/** Characters that look like another one: hyphens that look like U+002D, and the Tibetan no-break mark. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ['\u2010', '-'],
  ['\u2011', '-'],
  ['\u0f0c', '\u0f0b'],
]);
/** Most texts match this and need no further check. */
const ASCII = /^[ -~]*$/;
/** At least the UTF-16 units of any one composed character before it is composed. */
const UNITS_PER_CHARACTER_MAX = 8;
/** Programs write this character where they could not read one. */
const REPLACEMENT = '\ufffd';

/** A text in its canonical spelling, or the reason of its refusal, such as `must not be empty`. */
export type PlainText = { readonly text: string } | { readonly fault: string };

/**
 * Reads a text that people compare by eye: a name, a reason, a reference. Its canonical spelling is Unicode's composed
 * form (NFC). Characters that let two different texts look the same are refused: invisible characters, blanks other
 * than U+0020, blanks around the text, control characters, look-alikes of the hyphen. The fault names the place,
 * counted in characters from 1. A text has at most `charsMax` code points.
 */
export function readPlainText(raw: string, charsMax: number): PlainText {
  // The time of a composition grows with the square of the length.
  if (raw.length > charsMax * UNITS_PER_CHARACTER_MAX) return { fault: tooLong(charsMax) };
  const text = raw.normalize('NFC');
  if (text.trim() === '') return { fault: 'must not be empty' };
  if (text.length > charsMax && Array.from(text).length > charsMax) return { fault: tooLong(charsMax) };
  const fault = characterFault(raw);
  if (fault !== null) return { fault };
  return /^ | $/.test(text) ? { fault: 'must not begin or end with a blank' } : { text };
}

function tooLong(charsMax: number): string {
  return `must have at most ${charsMax} characters`;
}

function characterFault(raw: string): string | null {
  if (ASCII.test(raw)) return null;
  let place = 0;
  for (const character of raw) {
    place += 1;
    const reason = refusalOf(character);
    if (reason !== null) return `must not hold ${codePointName(character)} (${reason}) at character ${place}`;
  }
  return null;
}

function refusalOf(character: string): string | null {
  if (CONTROL.test(character)) return 'a control character';
  if (OTHER_BLANK.test(character)) return 'a blank that is not U+0020';
  if (UNSEEN.test(character)) return 'cannot be seen';
  if (LOOK_ALIKES.has(character)) return 'looks like another character';
  return character === REPLACEMENT ? 'stands for bytes that are not UTF-8' : null;
}

/** The Unicode name of a character (one code point, not empty): `U+200B`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The canonical spelling, by the rules of {@link readPlainText}, of a text that an earlier release has stored. Texts
 * that differ only in refused characters have the same spelling. Postgres stores it for references in `accounts.reference_key`.
 */
export function plainKey(stored: string): string {
  const seen = Array.from(stored, (character) => {
    if (OTHER_BLANK.test(character)) return ' ';
    return UNSEEN.test(character) ? '' : (LOOK_ALIKES.get(character) ?? character);
  });
  return seen
    .join('')
    .normalize('NFC')
    .replace(/^ +| +$/g, '');
}
