/**
 * Texts that are not tokens of this product, within the lengths of the fields. They must never cause a 5xx
 * (docs/contract/sdk-api.md#authentication).
 */
export const FORGED_TOKENS: readonly (readonly [name: string, token: string])[] = [
  ['a word', 'blah'],
  ['three words with dots', 'a.b.c'],
  ['five words with dots', 'a.b.c.d.e'],
  ['dots alone', '..'],
  ['four dots', '....'],
  ['one blank', ' '],
  ['2048 letters', 'A'.repeat(2048)],
  ['an emoji', '\u{1F600}'],
  ['a control character', '\u0000'],
  ['a lone surrogate', '\ud800'],
  ['a token with no algorithm', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'],
  ['a header that names another algorithm', 'eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ....'],
  ['a statement in SQL', "' OR 1=1 --"],
];

/** Values that a token field may not have at all: 422 `validation_failed`. */
export const INVALID_TOKENS: readonly (readonly [name: string, token: unknown])[] = [
  ['missing', undefined],
  ['null', null],
  ['empty', ''],
  ['2049 letters', 'A'.repeat(2049)],
  ['a number', 12],
  ['an object', { token: 'x' }],
  ['a list', ['x']],
];

/** Other spellings of a genuine token that a lenient decoder would accept. */
export function respellings(token: string): readonly (readonly [name: string, token: string])[] {
  const middle = Math.floor(token.length / 2);
  const flip = (at: number): string => {
    const letter = token[at] === 'A' ? 'B' : 'A';
    return `${token.slice(0, at)}${letter}${token.slice(at + 1)}`;
  };
  const lastBits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = lastBits.indexOf(token.at(-1)!);
  return [
    ['one letter changed in the middle', flip(middle)],
    ['the first letter changed', flip(0)],
    ['the last letter changed', flip(token.length - 1)],
    ['unused bits of the last letter changed', `${token.slice(0, -1)}${lastBits[last ^ 1]!}`],
    ['cut by one letter', token.slice(0, -1)],
    ['padded', `${token}=`],
    ['with a trailing blank', `${token} `],
    ['with a leading line break', `\n${token}`],
    ['with a trailing dot', `${token}.`],
  ];
}
