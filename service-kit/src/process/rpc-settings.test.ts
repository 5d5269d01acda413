import { expect } from 'chai';
import { readLifecycleConfig } from './lifecycle.js';
import { readRpcSettings } from './rpc-settings.js';

const FILES = { TLS_CERT_FILE: '/tls/tls.crt', TLS_KEY_FILE: '/tls/tls.key', TLS_CA_FILE: '/tls/ca.crt' };

describe('the settings of gRPC', () => {
  it('are without TLS and with reflection by default', () => {
    expect(readRpcSettings({})).to.deep.equal({ tls: null, hasReflection: true });
  });

  it('name the three files of TLS, and switch reflection off', () => {
    expect(readRpcSettings({ ...FILES, REQUIRE_TLS: '1', GRPC_REFLECTION: '0' })).to.deep.equal({
      tls: { certFile: '/tls/tls.crt', keyFile: '/tls/tls.key', caFile: '/tls/ca.crt' },
      hasReflection: false,
    });
  });

  it('are refused when some files are missing', () => {
    expect(() => readRpcSettings({ TLS_CERT_FILE: '/tls/tls.crt', TLS_CA_FILE: '' })).to.throw(
      'TLS_KEY_FILE: is not set, and the other TLS files are set; name a PEM file; ' +
        'TLS_CA_FILE: is not set, and the other TLS files are set; name a PEM file',
    );
  });

  it('are refused without files when TLS is required, so that the process does not start', () => {
    expect(readLifecycleConfig({ REQUIRE_TLS: '1' }, { hasRpc: false }).REQUIRE_TLS).to.equal('1');
    expect(() => readLifecycleConfig({ REQUIRE_TLS: '1' })).to.throw(
      'TLS_CERT_FILE: is not set, and REQUIRE_TLS is 1; name a PEM file',
    );
  });

  it('are refused when a switch is neither 0 nor 1', () => {
    expect(() => readRpcSettings({ REQUIRE_TLS: 'yes' })).to.throw('REQUIRE_TLS: must be one of 0, 1');
  });
});
