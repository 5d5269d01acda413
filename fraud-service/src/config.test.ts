import { ConfigError } from '@placard/service-kit';
import { expect } from 'chai';
import { readFraudConfig, toRuleValues } from './config.js';
import { defaultValues, fraudRules, type RuleValues } from './domain/fraud-rules.js';

const STORES = { DATABASE_URL: 'postgres://u:p@localhost/placard', REDIS_URL: 'redis://localhost:6379' };

function valuesOf(environment: NodeJS.ProcessEnv): RuleValues {
  return toRuleValues(readFraudConfig({ ...STORES, ...environment }));
}

describe('the settings of fraud-service', () => {
  it('are the numbers of the contract by default', () => {
    expect(valuesOf({})).to.deep.equal(defaultValues);
  });

  it('take single numbers from FRAUD_RULES and keep the other defaults', () => {
    const values = valuesOf({ FRAUD_RULES: '{"clicks_per_hour":3,"max_ctr":0.9}' });
    expect(values).to.deep.equal({ ...defaultValues, clicks_per_hour: 3, max_ctr: 0.9 });
  });

  it('take every number of FRAUD_RULES', () => {
    const numbers = {
      ad_requests_per_minute: 1,
      banner_impression_factor: 2.25,
      fullscreen_impressions_per_hour: 3,
      session_impressions_per_hour: 4,
      clicks_per_hour: 5,
      max_ctr: 1,
      ctr_min_impressions: 7,
    };
    const values = valuesOf({ FRAUD_RULES: JSON.stringify(numbers), MIN_CLICK_DELAY_MS: '250' });
    expect(values).to.include({ ...numbers, MIN_CLICK_DELAY_MS: 250 });
  });

  const wrong: readonly (readonly [rules: string, message: string])[] = [
    ['nonsense', 'FRAUD_RULES: must be JSON'],
    ['[]', 'FRAUD_RULES: must be a JSON object of rule names and numbers'],
    ['7', 'FRAUD_RULES: must be a JSON object of rule names and numbers'],
    ['{"clicks_per_minute":20}', 'FRAUD_RULES: has no rule named clicks_per_minute'],
    ['{"min_click_delay_ms":20}', 'FRAUD_RULES: has no rule named min_click_delay_ms'],
    ['{"clicks_per_hour":"20"}', 'FRAUD_RULES.clicks_per_hour: must be a whole number from 1 to 1000000'],
    ['{"clicks_per_hour":0}', 'FRAUD_RULES.clicks_per_hour: must be a whole number from 1 to 1000000'],
    ['{"clicks_per_hour":1.5}', 'FRAUD_RULES.clicks_per_hour: must be a whole number from 1 to 1000000'],
    ['{"max_ctr":1.01}', 'FRAUD_RULES.max_ctr: must be a number from 0 to 1'],
    ['{"max_ctr":null}', 'FRAUD_RULES.max_ctr: must be a number from 0 to 1'],
    ['{"banner_impression_factor":0}', 'FRAUD_RULES.banner_impression_factor: must be a number above 0'],
    ['{"banner_impression_factor":0.1234567}', 'with at most 6 decimals'],
  ];
  for (const [rules, message] of wrong) {
    it(`are refused with one sentence when FRAUD_RULES is ${rules}`, () => {
      expect(() => valuesOf({ FRAUD_RULES: rules })).to.throw(ConfigError, message);
    });
  }

  it('put no rule into shadow mode by default', () => {
    expect([...readFraudConfig(STORES).FRAUD_SHADOW_RULES]).to.deep.equal([]);
  });

  it('take the rules of FRAUD_SHADOW_RULES, even with blanks or repeated', () => {
    const config = readFraudConfig({
      ...STORES,
      FRAUD_SHADOW_RULES: 'click_delay, clicks_per_hour,click_delay,',
    });
    expect([...config.FRAUD_SHADOW_RULES]).to.deep.equal(['click_delay', 'clicks_per_hour']);
  });

  for (const name of ['clicks_per_minute', 'max_ctr', 'toString', 'CLICK_DELAY']) {
    it(`are refused with a list of the rules when FRAUD_SHADOW_RULES names ${name}`, () => {
      const read = (): unknown => readFraudConfig({ ...STORES, FRAUD_SHADOW_RULES: `click_delay,${name}` });
      expect(read).to.throw(ConfigError, `FRAUD_SHADOW_RULES: has no rule named ${name}; name some of `);
      for (const { code } of fraudRules) expect(read).to.throw(ConfigError, code);
    });
  }

  it('name all faults at once', () => {
    const read = (): unknown => readFraudConfig({ MIN_CLICK_DELAY_MS: 'soon', FRAUD_RULES: '{"max_ctr":2}' });
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'MIN_CLICK_DELAY_MS', 'FRAUD_RULES.max_ctr']) {
      expect(read).to.throw(ConfigError, name);
    }
  });
});
