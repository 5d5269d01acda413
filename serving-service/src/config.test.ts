import { ConfigError } from '@placard/service-kit';
import { expect } from 'chai';
import { budgetShards, readServingConfig } from './config.js';

const KEYS = `k1:${Buffer.alloc(32).toString('base64url')}`;
const NEEDED = {
  REDIS_URL: 'redis://127.0.0.1:6379',
  SESSION_TOKEN_KEYS: KEYS,
  IMPRESSION_TOKEN_KEYS: KEYS,
};

function shardsOf(environment: NodeJS.ProcessEnv): number {
  return budgetShards(readServingConfig({ ...NEEDED, ...environment }));
}

describe('the settings of serving-service', () => {
  it('BUDGET_SHARDS is 1 on one Redis and 64 on a cluster unless it is set', () => {
    expect(shardsOf({})).to.equal(1);
    expect(shardsOf({ BUDGET_SHARDS: '' })).to.equal(1);
    expect(shardsOf({ REDIS_URL: 'redis-cluster://127.0.0.1:7000' })).to.equal(64);
    expect(shardsOf({ REDIS_URL: 'redis-cluster://127.0.0.1:7000', BUDGET_SHARDS: '1' })).to.equal(1);
    expect(shardsOf({ BUDGET_SHARDS: '1024' })).to.equal(1_024);
  });

  for (const value of ['0', '-1', '1.5', '1025', 'many']) {
    it(`BUDGET_SHARDS=${value} is refused`, () => {
      expect(() => shardsOf({ BUDGET_SHARDS: value })).to.throw(ConfigError, 'BUDGET_SHARDS');
    });
  }
});
