import { inOneLine } from '@placard/service-kit/pure';

/** Puts each text on a line of its own. Line breaks inside a text are shown as escapes. */
export function toLines(...texts: readonly string[]): string {
  return texts.map((text) => `${inOneLine(text)}\n`).join('');
}
