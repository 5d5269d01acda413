/** A request body: an object, or its fault in words. */
export type JsonBody = { readonly value: Readonly<Record<string, unknown>> } | { readonly fault: string };

/** Largest request body, in bytes, before and after decompression. Contract: docs/contract/requests.md#body-size. */
export const BODY_BYTES_MAX = 16 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body as a JSON object. An empty body is `{}`. One leading byte-order mark is skipped, the last of equal keys
 * is used, and `__proto__` is an ordinary key. Contract: docs/contract/requests.md#the-same-key-twice,
 * docs/contract/requests.md#harmless-spellings, docs/contract/requests.md#empty-body.
 */
export function parseJsonBody(bytes: Uint8Array): JsonBody {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { fault: 'must be valid UTF-8' };
  }
  if (text === '') return { value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'must be valid JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { fault: 'must be a JSON object' };
  }
  return { value: value as Record<string, unknown> };
}
