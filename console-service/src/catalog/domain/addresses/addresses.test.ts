import { expect } from 'chai';
import fc from 'fast-check';
import { clickAddress, fileAddress } from '../field-types.js';
import type { FieldType } from '../field-types.js';

function read(type: FieldType, written: string): { readonly kept: unknown; readonly faults: string[] } {
  const faults: string[] = [];
  return { kept: type(written, (message) => faults.push(message)), faults };
}

const GOOD_HTTPS = [
  'https://a',
  'https://cdn.example.com',
  'https://cdn.example.com/',
  'https://CDN.Example.com:443/A/b.png',
  'https://cdn.example.com:65535/a;b=c/%7Euser/@me:x',
  "https://cdn.example.com/a?b=c&d=/?%20e!$'()*+,#f/?g",
  'https://xn--mnchen-3ya.de/',
  'https://127.0.0.1/a',
  'https://[2001:db8::1]:8443/a',
  'https://1a.example',
  'https://cdn.a1/',
  'https://cdn.1a/',
  'https://255.255.255.255/',
  `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
  `https://cdn.example.com/${'a'.repeat(2_048 - 24)}`,
];

/** Addresses that are not `https://host[:port][/…]` in characters of RFC 3986, and a part of the fault. */
const BAD_HTTPS: readonly (readonly [address: string, said: string])[] = [
  ['https:cdn.example.com/a', 'must be an address that begins with https://'],
  ['https:/cdn.example.com/a', 'must be an address that begins with https://'],
  ['https:\\\\cdn.example.com', 'must be an address that begins with https://'],
  ['HTTPS://cdn.example.com', 'must be an address that begins with https://'],
  [' https://cdn.example.com', 'must be an address that begins with https://'],
  ['http://cdn.example.com/a.png', 'must be an address that begins with https://'],
  ['ftp://cdn.example.com', 'must be an address that begins with https://'],
  ['javascript:alert(1)', 'must be an address that begins with https://'],
  ['data:image/png;base64,AA', 'must be an address that begins with https://'],
  ['/a.png', 'must be an address that begins with https://'],
  ['', 'must be an address that begins with https://'],
  ['https://', 'must name a host after https://'],
  ['https:///cdn.example.com/a', 'must name a host after https://'],
  ['https://?a', 'must name a host after https://'],
  ['https://:443/', 'must name a host of letters'],
  ['https://user:pass@cdn.example.com/', 'user information'],
  ['https://user@cdn.example.com', 'user information'],
  ['https://@cdn.example.com', 'user information'],
  ['https://cdn.example.com:0/', 'must have a port from 1 to 65535'],
  ['https://cdn.example.com:00443/', 'must have a port from 1 to 65535'],
  ['https://cdn.example.com:65536/', 'must have a port from 1 to 65535'],
  ['https://cdn.example.com:1e3/', 'must have a port from 1 to 65535'],
  ['https://cdn.example.com:/', 'must have a port from 1 to 65535'],
  ['https://cdn.example.com:https/', 'must have a port from 1 to 65535'],
  ['https://cdn.example.com:80:80/', 'must name a host of letters'],
  ['https://cdn..example.com/', 'must name a host of letters'],
  ['https://.example.com/', 'must name a host of letters'],
  ['https://cdn.example.com./', 'must name a host of letters'],
  ['https://-cdn.example.com/', 'must name a host of letters'],
  ['https://cdn_1.example.com/', 'must name a host of letters'],
  ['https://cdn%2eexample.com/', 'must name a host of letters'],
  ['https://127.1/', 'must name a host of letters'],
  ['https://2130706433/', 'must name a host of letters'],
  ['https://0x7f.0.0.1/', 'must name a host of letters'],
  ['https://cdn.0x7f/', 'must name a host of letters'],
  ['https://127.0.0.01/', 'must name a host of letters'],
  ['https://256.0.0.1/', 'must name a host of letters'],
  ['https://[::1/', 'must name a host of letters'],
  ['https://[::g]/', 'must name a host of letters'],
  ['https://[1:2:3]/', 'must name a host of letters'],
  ['https://xn--a-/', 'must name a host of letters'],
  [`https://${'a'.repeat(64)}.example`, 'must name a host of letters'],
  [`https://${'a.'.repeat(130)}example`, 'must name a host of letters'],
  ['https://cdn.example.com?a=b', 'must have a / before the ? at character 24'],
  ['https://cdn.example.com#a', 'must have a / before the # at character 24'],
  ['https://cdn.example.com\\a', 'must not hold U+005C at character 24'],
  ['https://cdn.example.com/%zz', 'two hexadecimal digits after the % at character 25'],
  ['https://cdn.example.com/a%2', 'two hexadecimal digits after the % at character 26'],
  ['https://cdn.example.com/a b', 'must not hold U+0020 at character 26'],
  ['https://cdn.example.com/a\n', 'must not hold U+000A at character 26'],
  ['https://cdn.example.com/a\tb', 'must not hold U+0009 at character 26'],
  ['https://cdn.example.com/{id}', 'must not hold U+007B at character 25'],
  ['https://cdn.example.com/a|b', 'must not hold U+007C at character 26'],
  ['https://cdn.example.com/?a[]=1', 'must not hold U+005B at character 27: write %5B'],
  ['https://cdn.example.com/a#b#c', 'must not hold U+0023 at character 28: write %23'],
  ['https://münchen.de/', 'must not hold U+00FC at character 10'],
  ['https://cdn.exam\u00adple.com/', 'must not hold U+00AD at character 17'],
  ['https://cdn.example.com/\u202egnp.a', 'must not hold U+202E at character 25'],
  ['https://\u2066cdn.example.com/', 'must not hold U+2066 at character 9'],
  ['https://cdn.example.com/😀\u200b', 'must not hold U+1F600 at character 25'],
  [`https://cdn.example.com/${'a'.repeat(2_048)}`, 'must have at most 2048 characters'],
];

const GOOD_APPS = [
  'market://details?id=com.example.game',
  'market://details?id=com.example.game&referrer=utm_source%3Dplacard',
  'intent:#Intent;package=com.example.game;end',
  'intent://scan/#Intent;scheme=zxing;package=com.google.zxing.client.android;end',
  'intent:scan/#Intent;scheme=zxing;package=com.example.game;end',
  'intent://open/item?id=7#Intent;scheme=example;package=com.example.game;action=android.intent.action.VIEW;' +
    'category=android.intent.category.BROWSABLE;S.browser_fallback_url=https%3A%2F%2Fshop.example.com%2F;end',
  'intent://a#Intent;package=com.example.game;S.name=a%3Bb;i.count=7;B.is=true;end',
];

const BAD_APPS: readonly (readonly [address: string, said: string])[] = [
  ['market://search?q=a', 'must be an address that begins with'],
  ['market:details?id=a', 'must be an address that begins with'],
  ['market://details?', 'must be market://details? and a query'],
  ['market://details?id=a b', 'must not hold U+0020 at character 22'],
  ['market://details?id=a#b', 'must be market://details? and a query'],
  ['market://details?id=%g0', 'two hexadecimal digits'],
  ['Intent://a#Intent;package=com.example.game;end', 'must be an address that begins with'],
  ['intent://a', 'must be of the form intent:'],
  ['intent://a#Intent;end', 'must hold package= once'],
  ['intent://a#Intent;package=com.example.game', 'must be of the form intent:'],
  [
    'intent://a#Intent;package=com.example.game;end;component=com.bank/.Transfer',
    'must be of the form intent:',
  ],
  ['intent://a#intent;package=com.example.game;end', 'must be of the form intent:'],
  ['intent://a#Intent;package=com.example.game;;end', 'must not hold the parameter '],
  ['intent://a#Intent;package=com.example.game;component=com.bank/.Transfer;end', 'the parameter component='],
  ['intent://a#Intent;package=com.example.game;%63omponent=com.bank/.T;end', 'the parameter %63omponent'],
  ['intent://a#Intent;package=com.example.game;SEL;end', 'the parameter SEL'],
  ['intent://a#Intent;package=com.example.game;SEL;component=com.bank/.Transfer;end', 'the parameter SEL'],
  ['intent://a#Intent;package=com.example.game;SELx=1;end', 'the parameter SELx'],
  ['intent://a#Intent;package=com.example.game;endless=1;end', 'the parameter endless'],
  ['intent://a#Intent;package=com.example.game;x.a=1;end', 'the parameter x.a'],
  ['intent://a#Intent;package=;end', 'must hold package= once'],
  ['intent://a#Intent;package=game;end', 'must hold package= once'],
  ['intent://a#Intent;package=com.example.game;package=com.bank.app;end', 'must hold package= once'],
  ['intent://a#Intent;package=com.example%2F.game;end', 'must hold package= once'],
  ['intent:///etc/hosts#Intent;scheme=file;package=com.example.game;end', 'a scheme= of file'],
  ['intent:///etc/hosts#Intent;scheme=FILE;package=com.example.game;end', 'a scheme= of file'],
  ['intent:///etc/hosts#Intent;scheme=f%69le;package=com.example.game;end', 'a scheme= of file'],
  ['intent:///etc/hosts#Intent;scheme=file%3A;package=com.example.game;end', 'a scheme= of file'],
  ['intent:file:///etc/hosts#Intent;package=com.example.game;end', 'must be of the form intent:'],
  ['intent:javascript:alert(1)#Intent;package=com.example.game;end', 'must be of the form intent:'],
  ['intent://me@a#Intent;scheme=https;package=com.example.game;end', 'must be of the form intent:'],
  ...[
    'javascript%3Aalert(1)',
    'http%3A%2F%2Fshop.example.com',
    'market%3A%2F%2Fdetails%3Fid%3Da',
    'https%3A%2F%2Fuser%40shop.example.com',
    'https%3A%2F%2Fshop.example.com%2F%E2%80%AE',
    '',
  ].map(
    (fallback) =>
      [
        `intent://a#Intent;package=com.example.game;S.browser_fallback_url=${fallback};end`,
        'must hold a browser_fallback_url of https; it must',
      ] as const,
  ),
  [
    'intent://a#Intent;package=com.example.game;S.browser%5Ffallback%5Furl=javascript%3Aa;end',
    'must hold a browser_fallback_url of https',
  ],
  ['intent://a#Intent;package=com.example.game;S.a=%ff;end', 'must not hold the parameter S.a=%ff'],
  ['intent://a#Intent;package=com.example.game;S.a=\u202e;end', 'must not hold U+202E'],
];

describe('the address', () => {
  for (const good of GOOD_HTTPS) {
    it(`${good.slice(0, 90)} is accepted for a creative and for a click, and kept unchanged`, () => {
      for (const type of [fileAddress, clickAddress])
        expect(read(type, good)).to.deep.equal({ kept: good, faults: [] });
    });
  }
  for (const [bad, said] of BAD_HTTPS) {
    it(`${JSON.stringify(bad).slice(0, 90)} is refused for a creative and for a click`, () => {
      for (const type of [fileAddress, clickAddress]) {
        const { kept, faults } = read(type, bad);
        expect(kept).to.equal(undefined);
        expect(faults).to.have.length(1);
        expect(faults[0]).to.contain(said);
      }
    });
  }
  for (const good of GOOD_APPS) {
    it(`${good} is accepted for a click only`, () => {
      expect(read(clickAddress, good)).to.deep.equal({ kept: good, faults: [] });
      expect(read(fileAddress, good).kept).to.equal(undefined);
    });
  }
  for (const [bad, said] of BAD_APPS) {
    it(`${JSON.stringify(bad)} is refused for a click`, () => {
      const { kept, faults } = read(clickAddress, bad);
      expect(kept).to.equal(undefined);
      expect(faults).to.have.length(1);
      expect(faults[0]).to.contain(said);
    });
  }

  it('that is refused for a long parameter repeats only its beginning', () => {
    const address = `intent://a#Intent;package=com.example.game;${'x'.repeat(65)};end`;
    expect(read(clickAddress, address).faults).to.deep.equal([
      `must not hold the parameter ${'x'.repeat(64)}`,
    ]);
  });

  it('that is accepted means the same to a browser: same host, same port, nothing before the host', () => {
    const piece = fc.constantFrom(
      'a',
      'xn--',
      '.',
      ':',
      '@',
      '/',
      '\\',
      '?',
      '#',
      '%',
      '%41',
      '[',
      ']',
      '0',
      '\u00ad',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const written = `https://${pieces.join('')}`;
        if (read(fileAddress, written).kept === undefined) return;
        const browser = new URL(written);
        const [, host = '', port = ''] = /^https:\/\/(\[.*\]|[^/:]*)(?::(\d+))?/.exec(written) ?? [];
        expect(browser.username + browser.password).to.equal('');
        expect(browser.hostname).to.equal(host);
        expect(browser.port).to.equal(port);
      }),
      { numRuns: 5_000 },
    );
  });
});
