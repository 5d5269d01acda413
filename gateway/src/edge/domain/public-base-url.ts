/** The address under which a client reached this server. */
export interface ReachedBy {
  readonly host: string | undefined;
  /** `X-Forwarded-Host` and `-Proto`, only from a trusted proxy. */
  readonly forwardedHost: string | undefined;
  readonly forwardedProto: string | undefined;
  /** The local address and port of the connection. */
  readonly local: { readonly address: string; readonly port: number };
}

const HOST_CHARS_MAX = 255;
const NAME = /^(?!\.)(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.|(?=:|$)))+(?::\d{1,5})?$/;
const IPV6 = /^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/;

/**
 * The address under which the client reached the product, such as `https://ads.example.com`. The URLs of the
 * product's own files start with it. An invalid host is not used. Contract: docs/contract/selection.md#files-of-the-product.
 */
export function publicBaseUrl(by: ReachedBy): string {
  const proto = first(by.forwardedProto) === 'https' ? 'https' : 'http';
  for (const host of [first(by.forwardedHost), by.host?.trim().toLowerCase()]) {
    const origin = host === undefined ? null : originOf(proto, host);
    if (origin !== null) return origin;
  }
  const { address, port } = by.local;
  return (
    originOf(proto, `${address.includes(':') ? `[${address}]` : address}:${port}`) ?? `${proto}://localhost`
  );
}

/** The first entry of a list in a header, which the proxy nearest to the client has written. */
function first(header: string | undefined): string | undefined {
  return header?.split(',')[0]?.trim().toLowerCase();
}

function originOf(proto: string, host: string): string | null {
  if (host.length > HOST_CHARS_MAX || !(NAME.test(host) || IPV6.test(host))) return null;
  const text = `${proto}://${host}`;
  return URL.canParse(text) ? new URL(text).origin : null;
}
