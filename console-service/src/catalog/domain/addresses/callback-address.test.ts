import { expect } from 'chai';
import { callbackFault } from './callback-address.js';

describe('the address of a reward callback', () => {
  for (const address of [
    'https://game.example.com',
    'https://game.example.com/rewards?game=puzzle',
    'https://game.example.com:8443/',
    'https://1.2.3.example/',
    'https://10.0.0.1.example.com/',
  ])
    it(`may be ${address}`, () => expect(callbackFault(address)).to.equal(null));

  for (const [address, fault] of [
    ['http://game.example.com/', 'must begin with https://'],
    ['https://', 'must name a host after https://'],
    ['https://user@game.example.com/', 'must not hold user information'],
    ['https://game.example.com/#a', 'must not hold a fragment'],
    ['https://127.0.0.1/', 'must name a host by its name'],
    ['https://93.184.216.34:443/rewards', 'must name a host by its name'],
    ['https://[::1]/', 'must name a host by its name'],
    ['https://[2606:4700::1]:443/', 'must name a host by its name'],
    ['https://2130706433/', 'must name a host by its name'],
    ['https://127.1/', 'must name a host by its name'],
    ['https://0x7f000001:443/', 'must name a host by its name'],
    ['https://[::1', 'must name a host by its name'],
    ['https://game..example.com/', 'must name a host of letters, digits, - and .; others in their xn-- form'],
  ] as const)
    it(`cannot be ${address}`, () => expect(callbackFault(address)).to.contain(fault));

  // Which of these labels can be decoded depends on the release of Node.js.
  for (const address of [
    'https://xn--a.example/',
    'https://game.xn--0000h/',
    'https://xn--zzzz99999.example/',
  ])
    it(`may be ${address} only when Node.js can parse it`, () =>
      expect(callbackFault(address) === null).to.equal(URL.canParse(address)));

  it('may have a host in its xn-- form', () =>
    expect(callbackFault('https://xn--bcher-kva.example/')).to.equal(null));
});
