/**
 * What leaves no trace on a screen, as the inside of a class of a regular expression (flag `u`): default-ignorable code
 * points, format characters, and letters and signs whose picture is empty (U+2800 BRAILLE PATTERN BLANK and its like,
 * which no property of Unicode names).
 */
export const UNSEEN_CLASS = String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}`;
