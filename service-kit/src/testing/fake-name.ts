import dns from 'node:dns';

/** Resolves every name to some addresses, until it is restored. */
export interface FakeName {
  set(...addresses: string[]): void;
  /** Number of look-ups. */
  lookups(): number;
  restore(): void;
}

/** Replaces the DNS look-ups of gRPC in this process. */
export function fakeName(...addresses: string[]): FakeName {
  const { lookup } = dns.promises;
  let [current, count] = [addresses, 0];
  const fake = (): Promise<dns.LookupAddress[]> => {
    count += 1;
    return Promise.resolve(current.map((address) => ({ address, family: 4 })));
  };
  dns.promises.lookup = fake as unknown as typeof lookup;
  return {
    set: (...next) => void (current = next),
    lookups: () => count,
    restore: () => void (dns.promises.lookup = lookup),
  };
}
