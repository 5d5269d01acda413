/** The headers of a message, with names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Headers that belong to one connection. RFC 9110, sections 7.6.1 and 10.1.1. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers that a proxy passes on: all but hop-by-hop headers and those that `Connection` names. */
export function endToEnd(headers: Headers): Record<string, string | string[]> {
  const named = new Set([headers['connection'] ?? []].flat().flatMap((list) => list.split(',').map(nameOf)));
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name)) kept[name] = value;
  }
  return kept;
}

function nameOf(option: string): string {
  return option.trim().toLowerCase();
}

/** Whether a request has a body. The parser has already refused contradictory framings. */
export function hasBody(headers: Headers): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether a body has a framing that this server reads: a length, or chunks without another coding. */
export function isPlainlyFramed(headers: Headers, httpVersion: string): boolean {
  const codings = headers['transfer-encoding'];
  if (codings === undefined) return true;
  return httpVersion === '1.1' && String(codings).trim().toLowerCase() === 'chunked';
}
