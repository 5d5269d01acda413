import { expect } from 'chai';
import { tlsWarning, withoutTls } from './tls-settings.js';

describe('the settings of TLS in the environment of npm start', () => {
  it('are all left out', () => {
    const env = {
      TLS_CERT_FILE: '/tls.crt',
      TLS_KEY_FILE: '/tls.key',
      TLS_CA_FILE: '/ca.crt',
      REQUIRE_TLS: '1',
    };
    expect(withoutTls({ ...env, REDIS_CA_FILE: '/redis.crt' })).to.deep.equal({
      REDIS_CA_FILE: '/redis.crt',
    });
  });

  it('are named in one warning', () => {
    expect(tlsWarning({ REQUIRE_TLS: '1', LOG_LEVEL: 'debug' })).to.equal(
      'npm start runs its processes on this machine without TLS: REQUIRE_TLS has no effect.',
    );
    expect(tlsWarning({ TLS_KEY_FILE: '/tls.key', TLS_CA_FILE: '/ca.crt' })).to.contain(
      ': TLS_CA_FILE, TLS_KEY_FILE have no effect.',
    );
  });

  it('give no warning when they are empty or absent', () => {
    expect(tlsWarning({ REQUIRE_TLS: ' ', LOG_LEVEL: 'debug' })).to.equal(null);
  });
});
