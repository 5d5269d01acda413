import { ConfigError, messageOf } from '@placard/service-kit';
import { readCountry } from '@placard/service-kit/pure';
import { open, type Reader, type Response } from 'maxmind';
import type { Address } from '../domain/address.js';

/** The country of an address. Null: unknown. */
export type CountryOf = (address: Address) => string | null;

/**
 * Addresses of resolvers, root servers and registries on four continents. Every country database contains some of them.
 */
const KNOWN_ADDRESSES = [
  '8.8.8.8',
  '1.1.1.1',
  '193.0.6.139',
  '202.12.27.33',
  '200.160.2.3',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2001:67c:2e8:22::c100:68b',
  '2001:dc3::35',
];
/** Fields with the country code in databases of different vendors, best first. */
const PLACES: readonly (readonly string[])[] = [
  ['country', 'iso_code'],
  ['country_code'],
  ['country'],
  ['registered_country', 'iso_code'],
];
const PLACES_TEXT = PLACES.map((place) => place.join('.')).join(', ');

/**
 * Opens a country database in the MMDB format. Throws a ConfigError when the file is missing, is not in this format, or
 * has no countries.
 */
export async function readCountryDatabase(path: string): Promise<CountryOf> {
  const reader = await open(path).catch((error: unknown) => {
    throw new ConfigError([
      `COUNTRY_DB: ${path} is no country database in the MMDB format (${messageOf(error)})`,
    ]);
  });
  const knowsCountries = KNOWN_ADDRESSES.some((address) => countryIn(reader, address) !== null);
  if (!knowsCountries) throw new ConfigError([uselessText(path, reader)]);
  return ({ text }) => countryIn(reader, text);
}

function uselessText(path: string, reader: Reader<Response>): string {
  return (
    `COUNTRY_DB: ${path} (type ${JSON.stringify(reader.metadata.databaseType)}) knows the country of none of ` +
    `${KNOWN_ADDRESSES.length} well-known addresses, such as ${KNOWN_ADDRESSES[0]}; ` +
    `name a database whose records have one of ${PLACES_TEXT}`
  );
}

function countryIn(reader: Reader<Response>, address: string): string | null {
  // An IPv4 database would read the beginning of an IPv6 address as an IPv4 address.
  if (reader.metadata.ipVersion === 4 && address.includes(':')) return null;
  const record = recordOf(reader, address);
  for (const place of PLACES) {
    const value = place.reduce<unknown>(memberOf, record);
    const country = typeof value === 'string' ? readCountry(value) : null;
    if (country !== null) return country;
  }
  return null;
}

/** Null for an unknown address, and when a damaged file cannot be read: a request is then handled without a country. */
function recordOf(reader: Reader<Response>, address: string): unknown {
  try {
    return reader.get(address);
  } catch {
    return null;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
