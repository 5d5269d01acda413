/** Control characters, and halves of surrogate pairs. */
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/**
 * Whether the ledger can store a text unchanged. console-service checks the spelling of new references and reasons. Texts that
 * an earlier release of it accepted belong to money that can be spent, so they must be booked.
 */
export function isBookableText(text: string, charsMax: number): boolean {
  return text !== '' && text.length <= charsMax && !CONTROL.test(text);
}
