import { expect } from 'chai';
import { publicBaseUrl } from './public-base-url.js';

describe('the public base URL', () => {
  const local = { address: '192.0.2.1', port: 8080 };
  const of = (host?: string, forwardedHost?: string, forwardedProto?: string) =>
    publicBaseUrl({ host, forwardedHost, forwardedProto, local });

  it('is what the client called', () => {
    expect(of('Ads.Example.com:8080')).to.equal('http://ads.example.com:8080');
    expect(of('[2001:db8::1]:8080')).to.equal('http://[2001:db8::1]:8080');
    expect(of('localhost')).to.equal('http://localhost');
  });
  it('is what a trusted proxy says, the first of a list', () => {
    expect(of('inner:80', 'ads.example.com, edge', 'https, http')).to.equal('https://ads.example.com');
  });
  it('drops the scheme’s own port', () => {
    expect(of(undefined, 'ads.example.com:443', 'https')).to.equal('https://ads.example.com');
  });
  it('takes no scheme but http and https', () => {
    expect(of('a.example', undefined, 'javascript')).to.equal('http://a.example');
  });
  const hostile = [
    '',
    ' ',
    'a b',
    'a/b',
    'user@evil',
    'a?x',
    'a#x',
    'a\\b',
    '"><script>',
    'a:99999',
    'a:b',
    '..',
    '.a',
    '-',
    'a..b',
    '1.2.3.999',
    '[::1',
    'x'.repeat(300),
  ];
  for (const host of hostile) {
    it(`"${host.slice(0, 20)}" is not used`, () => {
      expect(of(host)).to.equal('http://192.0.2.1:8080');
    });
  }
  it('a bad forwarded host leaves the Host header', () => {
    expect(of('ads.example.com', 'a b')).to.equal('http://ads.example.com');
  });
});
