import { isUtf8Type } from '@placard/service-kit/pure';

/**
 * The fault of a request's Content-Type in words. Null: it is JSON in UTF-8. Letter case, spaces, quotes and other
 * parameters do not matter. Contract: docs/contract/requests.md#harmless-spellings.
 */
export function contentTypeFault(header: string | undefined): string | null {
  const [type = ''] = (header ?? '').split(';');
  const isJson = type.trim().toLowerCase() === 'application/json';
  if (!isJson) return 'must be sent with Content-Type: application/json';
  return isUtf8Type(header) ? null : 'must be in UTF-8';
}
