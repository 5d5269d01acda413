import { inOneLine } from '@placard/service-kit/pure';

/** Each text on a line of its own. What an operator, a file or the instance wrote into it cannot begin another line. */
export function toLines(...texts: readonly string[]): string {
  return texts.map((text) => `${inOneLine(text)}\n`).join('');
}
