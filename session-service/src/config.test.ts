import { ConfigError } from '@placard/service-kit';
import { expect } from 'chai';
import { readSessionConfig } from './config.js';

const SESSION_TOKEN_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64url')}`;

describe('the settings of session-service', () => {
  it('require only the keys', () => {
    const config = readSessionConfig({ SESSION_TOKEN_KEYS });
    expect(config).to.include({
      SESSION_TTL_SECONDS: 3_600,
      GRPC_PORT: 50_051,
      METRICS_PORT: 9_081,
      CONSOLE_SERVICE_ADDRESS: '127.0.0.1:50055',
      FRAUD_SERVICE_ADDRESS: '127.0.0.1:50054',
      CATALOG_CACHE_FILE: '',
    });
  });

  it('report all faults at once and show no key', () => {
    const secret = 'k1:c2VjcmV0';
    const read = (): unknown =>
      readSessionConfig({
        SESSION_TOKEN_KEYS: secret,
        SESSION_TTL_SECONDS: '0',
        FRAUD_SERVICE_ADDRESS: 'here',
      });
    for (const name of ['SESSION_TOKEN_KEYS', 'SESSION_TTL_SECONDS', 'FRAUD_SERVICE_ADDRESS']) {
      expect(read).to.throw(ConfigError, name);
    }
    expect(read).to.not.throw(ConfigError, 'c2VjcmV0');
  });
});
