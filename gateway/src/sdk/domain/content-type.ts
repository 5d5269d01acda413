const CHARSETS = new Set(['utf-8', 'utf8']);

/**
 * The fault of a request's Content-Type in words. Null: it is JSON in UTF-8. Letter case, spaces, quotes and other
 * parameters do not matter. Contract: docs/contract/requests.md#harmless-spellings.
 */
export function contentTypeFault(header: string | undefined): string | null {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return 'must be sent with Content-Type: application/json';
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim());
    if (name === 'charset' && !CHARSETS.has(value.replace(/^"(.*)"$/, '$1'))) return 'must be in UTF-8';
  }
  return null;
}
