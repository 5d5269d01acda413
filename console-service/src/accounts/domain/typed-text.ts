import { readPlainText, type PlainText } from '@placard/service-kit/pure';

/** Longest texts that an operator types, in characters. */
const CHARS_MAX = { reference: 128, reason: 500, account: 128, advertiser: 64 } as const;

/** Reads what an operator typed: its one spelling, or why it is refused, such as `the reason must not be empty`. */
export function readTyped(what: keyof typeof CHARS_MAX, raw: string): PlainText {
  const read = readPlainText(raw, CHARS_MAX[what]);
  return 'fault' in read ? { fault: `the ${what} ${read.fault}` } : read;
}
