import { ConfigError } from '@placard/service-kit';
import { expect } from 'chai';
import { readServingConfig } from './config.js';

const KEYS = `k1:${Buffer.alloc(32).toString('base64url')}`;
const NEEDED = {
  REDIS_URL: 'redis://127.0.0.1:6379',
  SESSION_TOKEN_KEYS: KEYS,
  IMPRESSION_TOKEN_KEYS: KEYS,
};

function openFillsOf(text?: string): number {
  return readServingConfig({ ...NEEDED, OPEN_FILLS_MAX: text }).OPEN_FILLS_MAX;
}

describe('the settings of serving-service', () => {
  it('OPEN_FILLS_MAX is 30 by default, and 0 means no limit', () => {
    expect(openFillsOf()).to.equal(30);
    expect(openFillsOf('')).to.equal(30);
    expect(openFillsOf('0')).to.equal(0);
    expect(openFillsOf('10000')).to.equal(10_000);
  });

  for (const value of ['-1', '1.5', '10001', 'many']) {
    it(`OPEN_FILLS_MAX=${value} is refused`, () => {
      expect(() => openFillsOf(value)).to.throw(ConfigError, 'OPEN_FILLS_MAX');
    });
  }
});
