import { expect } from 'chai';
import { isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  const refused = [
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1'],
    ...['::1', '::', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1'],
    // Each carries an IPv4 address.
    ...['::ffff:10.0.0.1', '::ffff:8.8.8.8', '64:ff9b::a00:1', '2002:a00:1::', '2001:0:1::1'],
    ...['::a00:1', '::10.0.0.1', '::808:808', '64:ff9b:1::a00:1', '::5efe:a00:1'],
    // Site-local, and not assigned.
    ...['fec0::1', '4000::1'],
    ...['', 'localhost', '10', '1.2.3.4.5'],
  ];
  for (const text of refused) {
    it(`is false for "${text}"`, () => {
      expect(isPublicAddress(text)).to.equal(false);
    });
  }

  for (const text of ['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111']) {
    it(`is true for ${text}`, () => {
      expect(isPublicAddress(text)).to.equal(true);
    });
  }
});
