/** Control characters, and halves of surrogate pairs. */
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/**
 * Whether the ledger can keep a text as it is. Which spelling a new reference or reason has is decided where it is typed, by
 * console-service: what one of an earlier release has taken there is money that can be spent, and has to be booked.
 */
export function isBookableText(text: string, charsMax: number): boolean {
  return text !== '' && text.length <= charsMax && !CONTROL.test(text);
}
