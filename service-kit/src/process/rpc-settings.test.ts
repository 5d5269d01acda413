import { expect } from 'chai';
import { readLifecycleConfig } from './lifecycle.js';
import { env, readConfig } from './config.js';
import { keyWithoutTls, readRpcSettings, rpcShape } from './rpc-settings.js';

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

describe('the key of a server', () => {
  const shape = { TLS_CERT_FILE: rpcShape.TLS_CERT_FILE, LEDGER_WRITE_KEY: env.sharedKey() };
  const read = (given: NodeJS.ProcessEnv) => readConfig(shape, given, [keyWithoutTls('LEDGER_WRITE_KEY')]);

  it('must be set where there are no certificates, so that nobody without it may call', () => {
    expect(() => read({})).to.throw('LEDGER_WRITE_KEY: is not set, and there are no TLS files; set it to');
    expect(() => read({ LEDGER_WRITE_KEY: '' })).to.throw('LEDGER_WRITE_KEY: is not set');
  });

  it('is enough without certificates, and certificates are enough without it', () => {
    const LEDGER_WRITE_KEY = 'a'.repeat(64);
    expect(read({ LEDGER_WRITE_KEY })).to.include({ LEDGER_WRITE_KEY });
    expect(read(FILES).LEDGER_WRITE_KEY).to.equal(undefined);
  });
});
