import { isUtf8 } from 'node:buffer';
import * as unreadable from './unreadable.mjs';

const LINE_FEED = 0x0a;

/** Decoded text, or the place of the first byte that is not UTF-8: `is not UTF-8: line 3, byte 17 of that line`. */
export type Utf8Text = { readonly text: string } | { readonly fault: string };

/**
 * Decodes UTF-8 and never replaces a byte. Lines and bytes are counted from 1. The fault shows nothing of the content,
 * which may be secret.
 */
export function decodeUtf8(bytes: Uint8Array): Utf8Text {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  if (isUtf8(buffer)) return { text };
  const at = firstOtherByte(buffer, Buffer.from(text));
  const lineStart = buffer.lastIndexOf(LINE_FEED, at) + 1;
  const line = buffer.subarray(0, lineStart).reduce((count, byte) => count + Number(byte === LINE_FEED), 1);
  return { fault: `is not UTF-8: line ${line}, byte ${at - lineStart + 1} of that line` };
}

/**
 * The start of the character that the decoder replaced by U+FFFD (three bytes). The first byte that differs may be in
 * its middle.
 */
function firstOtherByte(bytes: Uint8Array, replaced: Uint8Array): number {
  let at = 0;
  while (bytes[at] === replaced[at]) at += 1;
  while (((replaced[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/**
 * What is wrong with a text that Node made of bytes that are not UTF-8: `is not UTF-8 at its character 3`, counted from 1.
 * Null: nothing is.
 */
export function unreadableFault(text: string): string | null {
  return unreadable.unreadableFault(text);
}

/**
 * Which argument of a command line is not UTF-8, and what to do: `2 is not UTF-8 at its character 3. Type …`, both counted
 * from 1. Null: none is.
 */
export function unreadableArgument(argv: readonly string[]): string | null {
  return unreadable.unreadableArgument(argv);
}
