/** The text; null for an empty one, as which a message of another service has a text that is missing. */
export function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}
