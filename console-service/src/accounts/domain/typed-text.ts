import { readPlainText, type PlainText } from '@placard/service-kit/pure';

/** Most characters of the texts that an operator types. */
const CHARS_MAX = { reference: 128, reason: 500, account: 128, advertiser: 64 } as const;

/** Reads a text that an operator typed: its normalized spelling, or a refusal such as `the reason must not be empty`. */
export function readTyped(what: keyof typeof CHARS_MAX, raw: string): PlainText {
  const read = readPlainText(raw, CHARS_MAX[what]);
  return 'fault' in read ? { fault: `the ${what} ${read.fault}` } : read;
}
