/** Where a server listens. */
export interface Place {
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The places of `host:port`, `dns:///host:port` or `ipv4:address:port,…`. */
export function placesOf(address: string): readonly Place[] {
  const list = address.replace(/^(?:dns:\/\/\/|ipv4:)/, '').split(',');
  return list.map((entry) => {
    const colon = entry.lastIndexOf(':');
    return { host: entry.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(entry.slice(colon + 1)) };
  });
}
