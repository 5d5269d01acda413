import { UNSEEN_CLASS } from '../unseen.js';

/**
 * Characters that a terminal executes or does not show: control and format characters, line separators, halves of
 * surrogate pairs.
 */
const UNPRINTABLE = new RegExp(String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}${UNSEEN_CLASS}]`, 'gu');
/** The same, except the line ends `\n` and `\r\n` of a text with many lines. */
const UNPRINTABLE_IN_LINES = new RegExp(String.raw`(?!\n|\r\n)${UNPRINTABLE.source}`, 'gu');
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A text of many lines that is safe on a terminal. Invisible characters are escaped as `\u001b`, which is their form
 * inside quotes in JSON and YAML, so JSON keeps its meaning.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE_IN_LINES, escaped);
}

/** A text of another author on one line: as {@link printable}, with line ends escaped as `\n` too. */
export function inOneLine(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  // UTF-16 units, as in JSON.
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
