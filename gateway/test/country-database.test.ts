import { ConfigError } from '@placard/service-kit';
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UNKNOWN_ADDRESS } from '../src/edge/domain/address.js';
import { parseAddress } from '../src/edge/middleware/addresses.js';
import { readCountryDatabase } from '../src/edge/store/country-database.js';
import { mmdbFile, type MmdbContent, type MmdbValue } from './mmdb-file.js';

const US = '8.8.8.0/24';

describe('a country database', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-country-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const open = async (networks: MmdbContent['networks'], ipVersion: 4 | 6 = 6) => {
    const file = path.join(folder, 'country.mmdb');
    writeFileSync(file, mmdbFile({ type: 'Test', ipVersion, networks }));
    const countryOf = await readCountryDatabase(file);
    return (address: string) => countryOf(parseAddress(address) ?? UNKNOWN_ADDRESS);
  };
  const refusalOf = async (networks: MmdbContent['networks']) => {
    const error: unknown = await open(networks).catch((fault: unknown) => fault);
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).message;
  };

  const layouts: readonly (readonly [where: string, record: MmdbValue])[] = [
    ['country.iso_code', { continent: { code: 'NA' }, country: { geoname_id: 1, iso_code: 'US' } }],
    ['country_code', { country_code: 'US' }],
    ['country_code beside the name of the country', { country: 'United States', country_code: 'US' }],
    ['country as text', { country: 'us', asn: 'AS1' }],
    ['registered_country.iso_code alone', { registered_country: { iso_code: 'US' } }],
    [
      'country.iso_code, and another one in registered_country',
      { country: { iso_code: 'US' }, registered_country: { iso_code: 'DE' } },
    ],
  ];
  for (const [where, record] of layouts) {
    it(`may keep the country in ${where}`, async () => {
      const countryOf = await open({ [US]: record, '2001:db8::/32': record });
      expect(countryOf('8.8.8.1')).to.equal('US');
      expect(countryOf('2001:db8::1')).to.equal('US');
      expect(countryOf('9.9.9.9')).to.equal(null);
    });
  }

  it('may hold IPv6 addresses only', async () => {
    const countryOf = await open({ '2001:4860::/32': { country_code: 'US' } });
    expect(countryOf('2001:4860::1')).to.equal('US');
    expect(countryOf('8.8.8.8')).to.equal(null);
  });

  it('may hold IPv4 addresses only, and then finds no country for an IPv6 address', async () => {
    const countryOf = await open({ [US]: { country_code: 'US' }, '32.1.0.0/16': { country_code: 'DE' } }, 4);
    expect(countryOf('8.8.8.1')).to.equal('US');
    expect(countryOf('32.1.2.3')).to.equal('DE');
    expect(countryOf('2001:db8::1')).to.equal(null);
  });

  it('has Kosovo, and no code that is not a country', async () => {
    const countryOf = await open({
      [US]: { country_code: 'US' },
      '46.99.0.0/16': { country_code: 'XK' },
      '10.0.0.0/8': { country_code: 'ZZ' },
    });
    expect(countryOf('46.99.1.1')).to.equal('XK');
    expect(countryOf('10.0.0.1')).to.equal(null);
  });

  for (const [what, record] of [
    ['of autonomous systems', { autonomous_system_number: 15169, autonomous_system_organization: 'X' }],
    ['with countries in an unknown field', { location: { cc: 'US' } }],
    ['with the names of countries alone', { country: 'United States' }],
    ['of texts', 'US'],
  ] as const) {
    it(`${what} is refused, and the start ends with a sentence that names COUNTRY_DB`, async () => {
      expect(await refusalOf({ [US]: record, '2001:4860::/32': record })).to.match(
        /COUNTRY_DB: \S+country\.mmdb \(type "Test"\) knows the country of none of 9 well-known addresses, such as 8\.8\.8\.8; name a database whose records have one of country\.iso_code, country_code, country, registered_country\.iso_code/,
      );
    });
  }

  it('without any network is refused', async () => {
    expect(await refusalOf({})).to.contain('knows the country of none of 9 well-known addresses');
  });
});
