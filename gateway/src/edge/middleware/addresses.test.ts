import { expect } from 'chai';
import { networkOf, type Trust } from '../domain/address.js';
import { clientAddress, parseAddress, readForwardedFor } from './addresses.js';

const at = (text: string) => parseAddress(text)!;

describe('addresses', () => {
  const same = [
    ['203.0.113.7', '4:203.0.113'],
    ['::ffff:203.0.113.7', '4:203.0.113'],
    ['::ffff:cb00:7107', '4:203.0.113'],
    ['0:0:0:0:0:FFFF:203.0.113.99', '4:203.0.113'],
    ['2001:db8:1:2::1', '6:32.1.13.184.0.1'],
    ['2001:0DB8:0001:ffff::', '6:32.1.13.184.0.1'],
    ['fe80::1%eth0', '6:254.128.0.0.0.0'],
    ['::1', '6:0.0.0.0.0.0'],
    ['64:ff9b::203.0.113.7', '6:0.100.255.155.0.0'],
  ] as const;
  for (const [text, network] of same) {
    it(`${text} belongs to the network ${network}`, () => {
      expect(networkOf(at(text))).to.equal(network);
    });
  }

  const none = [
    '',
    'unknown',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4.5',
    '010.1.1.1',
    '0x7f.0.0.1',
    '1::203.0.113.256',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    'g::1',
    '_hidden',
    `${'1'.repeat(70)}::`,
  ];
  for (const text of none) {
    it(`"${text.slice(0, 20)}" is not an address`, () => {
      expect(parseAddress(text)).to.equal(null);
    });
  }

  it('entries of X-Forwarded-For lose ports and brackets, wrong ones are skipped, and the nearest hop is first', () => {
    const header = 'unknown, 203.0.113.7:4711, [2001:db8::1]:443, "[2001:db8::2]", , _gazonk, 198.51.100.1';
    expect(readForwardedFor(header).map(({ text }) => text)).to.deep.equal([
      '198.51.100.1',
      '2001:db8::2',
      '2001:db8::1',
      '203.0.113.7',
    ]);
  });
});

describe('the client’s address', () => {
  const loopback: Trust = (address) => address.startsWith('127.') || address.startsWith('10.');
  const cases = [
    ['the header of an untrusted peer is ignored', '198.51.100.9', '203.0.113.7', '198.51.100.9'],
    ['the header of a trusted peer is used', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    [
      'the nearest untrusted entry is used, not the leftmost',
      '127.0.0.1',
      '6.6.6.6, 203.0.113.7, 10.0.0.3',
      '203.0.113.7',
    ],
    ['entries that are not an address are skipped', '127.0.0.1', '203.0.113.7, unknown', '203.0.113.7'],
    ['the peer is used when no entry is an address', '127.0.0.1', 'unknown, -', '127.0.0.1'],
    ['the furthest hop is used when all hops are trusted', '127.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
    ['an IPv4-mapped peer is its IPv4', '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ] as const;
  for (const [name, peer, header, expected] of cases) {
    it(name, () => {
      expect(clientAddress(at(peer), header, loopback).text).to.equal(expected);
    });
  }

  it('trusts the number of hops that is set', () => {
    const oneHop: Trust = (_, hop) => hop < 1;
    expect(clientAddress(at('10.0.0.1'), '6.6.6.6, 203.0.113.7', oneHop).text).to.equal('203.0.113.7');
  });
});
