import { expect } from 'chai';
import { findCallbackTarget } from './callback-target.js';

const PUBLIC = '93.184.216.34';

describe('the target of a callback', () => {
  const found = (url: string, ...addresses: string[]) =>
    findCallbackTarget(url, () => Promise.resolve(addresses));

  it('is a public host, with the address to connect to', async () => {
    const target = await found('https://hooks.example.com:8443/placard?x=1', PUBLIC);
    expect(target).to.deep.include({ isAllowed: true, address: PUBLIC });
  });

  it('may be an address', async () => {
    expect(await found(`https://${PUBLIC}/`)).to.deep.include({ isAllowed: true, address: PUBLIC });
    expect(await found('https://[2606:4700:4700::1111]/')).to.deep.include({
      address: '2606:4700:4700::1111',
    });
  });

  const refused: readonly (readonly [string, string, readonly string[], RegExp])[] = [
    ['plain HTTP', 'http://hooks.example.com/', [PUBLIC], /https/],
    ['another scheme', 'file:///etc/passwd', [PUBLIC], /https/],
    ['no URL', 'hooks', [PUBLIC], /https/],
    ['more than 2,048 characters', `https://hooks.example.com/${'a'.repeat(2_048)}`, [PUBLIC], /2048/],
    ['user information', 'https://me:secret@hooks.example.com/', [PUBLIC], /user/],
    ['a fragment', 'https://hooks.example.com/#x', [PUBLIC], /fragment/],
    ['a private address', 'https://10.0.0.1/', [], /private/],
    ['the local address in hexadecimal', 'https://0x7f000001/', [], /private/],
    ['the local address in brackets', 'https://[::1]/', [], /private/],
    ['a name of a private address', 'https://hooks.example.com/', ['192.168.0.9'], /private/],
    [
      'a name of a public and a private address',
      'https://hooks.example.com/',
      [PUBLIC, '10.0.0.1'],
      /private/,
    ],
    ['a name without an address', 'https://hooks.example.com/', [], /resolved/],
  ];
  for (const [name, url, addresses, reason] of refused) {
    it(`is not ${name}`, async () => {
      const target = await found(url, ...addresses);
      expect(target).to.have.property('reason').that.matches(reason);
      expect(JSON.stringify(target)).not.to.contain('secret');
    });
  }

  it('is not a name whose look-up fails', async () => {
    const target = await findCallbackTarget('https://hooks.example.com/', () => Promise.reject(new Error()));
    expect(target.isAllowed).to.equal(false);
  });
});
