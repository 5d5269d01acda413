import { expect } from 'chai';
import { readConfig } from '../process/config.js';
import { keyRingSetting } from './key-ring-setting.js';

const shape = { SESSION_TOKEN_KEYS: keyRingSetting() };

describe('the setting of a key ring', () => {
  it('gives the ring', () => {
    const ring = `k1:${Buffer.alloc(32).toString('base64url')}`;
    expect(readConfig(shape, { SESSION_TOKEN_KEYS: ring }).SESSION_TOKEN_KEYS.keys()[0].kid).to.equal('k1');
  });

  it('is refused when it is wrong, with a fault that shows no key', () => {
    const read = () => readConfig(shape, { SESSION_TOKEN_KEYS: 'k1:supersecret' });
    expect(read).to.throw(/^(?!.*supersecret).*SESSION_TOKEN_KEYS: key 1 must be 32 bytes/);
  });

  it('is required', () => {
    expect(() => readConfig(shape, {})).to.throw('SESSION_TOKEN_KEYS: is not set');
  });
});
