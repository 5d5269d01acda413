import { UNSEEN_CLASS } from './unseen.js';

/** What a terminal obeys or shows as nothing: control and format characters, line separators, halves of surrogate pairs. */
const UNPRINTABLE = new RegExp(String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}${UNSEEN_CLASS}]`, 'gu');
/** The same without the line ends of a text of many lines, `\n` and `\r\n`. */
const UNPRINTABLE_IN_LINES = new RegExp(String.raw`(?!\n|\r\n)${UNPRINTABLE.source}`, 'gu');
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A text of many lines so that a terminal shows it and obeys nothing in it: what cannot be seen is written `\u001b`, as JSON
 * and YAML write it inside quotes, so that JSON stays JSON with the same meaning.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE_IN_LINES, escaped);
}

/** A text that someone else wrote, on one line: {@link printable} with its line ends written `\n` too. */
export function inOneLine(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  // UTF-16 units, as JSON has them.
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
