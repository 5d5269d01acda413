import { ConfigError, messageOf } from '@placard/service-kit';
import { open } from 'maxmind';
import { readCountry } from '../domain/country.js';
import type { Address } from '../domain/address.js';

/** The country of an address; null when it is not known. */
export type CountryOf = (address: Address) => string | null;

/** What databases of different makers answer; the specification of neither is ours. */
interface CountryRecord {
  readonly country_code?: string;
  readonly country?: { readonly iso_code?: string };
}

/** Opens a country database in the MMDB format; a ConfigError when it is missing or no such file. */
export async function openCountryDatabase(path: string): Promise<CountryOf> {
  const reader = await open(path).catch((error: unknown) => {
    throw new ConfigError([
      `COUNTRY_DB: ${path} is no country database in the MMDB format (${messageOf(error)})`,
    ]);
  });
  return (address) => {
    const record = reader.get(address.text) as CountryRecord | null;
    return readCountry(record?.country_code ?? record?.country?.iso_code);
  };
}
