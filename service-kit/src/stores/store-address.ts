/** Where a store is, and how it proves itself where its URL asks for TLS. */
export interface StoreAddress {
  /** `DATABASE_URL` or `REDIS_URL`. It may hold a password, so it is in no log and no error. */
  readonly url: string;
  /** Path of a PEM file with the authorities that may sign the store's certificate. Default: those of Node.js. */
  readonly caFile?: string | undefined;
  /** Name in the store's certificate. Default: the host of each server. */
  readonly serverName?: string | undefined;
  /** Called when the file of authorities cannot be read again, once for each reason. The old authorities stay. */
  readonly onStaleAuthorities?: ((reason: string) => void) | undefined;
}

/** The address alone, of options that extend it. */
export function addressOf({ url, caFile, serverName }: StoreAddress): StoreAddress {
  return { url, caFile, serverName };
}
