import { expect } from 'chai';
import { publicBaseUrl } from './public-base-url.js';

describe('the public base URL', () => {
  const local = { address: '192.0.2.1', port: 8080 };
  const of = (host?: string, forwardedHost?: string, forwardedProto?: string) =>
    publicBaseUrl({ host, forwardedHost, forwardedProto, local });

  it('is the address that the client has called', () => {
    expect(of('Ads.Example.com:8080')).to.equal('http://ads.example.com:8080');
    expect(of('[2001:db8::1]:8080')).to.equal('http://[2001:db8::1]:8080');
    expect(of('localhost')).to.equal('http://localhost');
  });
  it('is the address in the headers of a trusted proxy, first entry', () => {
    expect(of('inner:80', 'ads.example.com, edge', 'https, http')).to.equal('https://ads.example.com');
    expect(of('inner:80', ' ads.example.com ,edge', ' https ,http')).to.equal('https://ads.example.com');
  });
  it('drops the scheme’s own port', () => {
    expect(of(undefined, 'ads.example.com:443', 'https')).to.equal('https://ads.example.com');
  });
  it('has the scheme http or https only', () => {
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
    it(`does not use the host "${host.slice(0, 20)}"`, () => {
      expect(of(host)).to.equal('http://192.0.2.1:8080');
    });
  }
  it('uses the Host header when the forwarded host is invalid', () => {
    expect(of('ads.example.com', 'a b')).to.equal('http://ads.example.com');
  });
});
