/** Headers of a message, names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Headers about one connection, or answered at its end. RFC 9110, sections 7.6.1 and 10.1.1. */
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

/** The headers that a proxy passes on: neither those of the connection nor those that `Connection` names. */
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

/** Whether a request brings a body; its parser has refused framings that contradict each other. */
export function hasBody(headers: Headers): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether a body is framed as this server reads it: by its length, or in chunks and nothing around them. */
export function isPlainlyFramed(headers: Headers, httpVersion: string): boolean {
  const codings = headers['transfer-encoding'];
  if (codings === undefined) return true;
  return httpVersion === '1.1' && String(codings).trim().toLowerCase() === 'chunked';
}
