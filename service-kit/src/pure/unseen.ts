/**
 * Invisible characters, as the inside of a character class of a regular expression (flag `u`): default-ignorable code
 * points, format characters, and letters and signs with an empty glyph (such as U+2800 BRAILLE PATTERN BLANK), which
 * have no Unicode property in common.
 */
export const UNSEEN_CLASS = String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}`;
