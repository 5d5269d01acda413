import { expect } from 'chai';
import { z } from 'zod';
import { baseShape, ConfigError, env, readConfig, type ConfigRule } from './config.js';

const shape = {
  PORT: env.int({ min: 1, max: 65_535, default: 8080 }),
  TTL_SECONDS: env.int({ min: 1, max: 86_400 }),
  NAME: env.text({ default: 'x' }),
  MODE: env.choice(['even', 'asap'], 'even'),
  RULES: env.json(z.strictObject({ clicks: z.number().default(20) })),
  PEER: env.address('127.0.0.1:50051'),
};

function faultsOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('was accepted');
}

describe('readConfig', () => {
  it('uses defaults for settings that are absent or empty, and freezes the result', () => {
    const config = readConfig(shape, {
      TTL_SECONDS: '60',
      PORT: '',
      NAME: '',
      RULES: '',
      MODE: '',
      PEER: '',
    });
    expect(config).to.deep.equal({
      PORT: 8080,
      TTL_SECONDS: 60,
      NAME: 'x',
      MODE: 'even',
      RULES: { clicks: 20 },
      PEER: '127.0.0.1:50051',
    });
    expect(Object.isFrozen(config)).to.equal(true);
  });

  it('accepts a peer as one address, as a name with many, or as a list of addresses, and nothing else', () => {
    const read = (PEER: string): string => readConfig({ PEER: shape.PEER }, { PEER }).PEER;
    for (const address of ['a.b:1', '[::1]:1', 'dns:///name:1', 'ipv4:10.0.0.1:1,10.0.0.2:2']) {
      expect(read(address)).to.equal(address);
    }
    const wrong = ['a', 'ipv4:name:1', 'ipv4:10.0.0.1:1,', 'ipv6:[::1]:1', 'a:1,b:2', 'a:0', 'a:99999'];
    for (const address of [...wrong, 'dns:///a:65536', 'ipv4:10.0.0.1:1,10.0.0.2:70000']) {
      expect(faultsOf(() => read(address))).to.include('PEER: must be host:port');
    }
  });

  it('refuses a setting of any type whose bytes are not UTF-8, and names the place', () => {
    // Node puts U+FFFD where an environment variable is not UTF-8.
    for (const [name, value, place] of [
      ['NAME', 'R\ufffdf', 2],
      ['PORT', '80\ufffd', 3],
      ['RULES', '{"😀\ufffd":1}', 4],
      ['MODE', '\ufffd', 1],
    ] as const) {
      expect(faultsOf(() => readConfig(shape, { TTL_SECONDS: '1', [name]: value }))).to.equal(
        `Wrong settings: ${name}: is not UTF-8 at its character ${place}. Correct them and start again.`,
      );
    }
  });

  it('names every fault at once, by the name of the setting', () => {
    const message = faultsOf(() =>
      readConfig(shape, { PORT: '65536', MODE: 'fast', RULES: '{', PEER: 'nowhere' }),
    );
    expect(message.split('; ')).to.have.length(6);
    for (const part of [
      'PORT: must be a whole number from 1 to 65535',
      'TTL_SECONDS: is not set; must be a whole number from 1 to 86400',
      'MODE: must be one of even, asap',
      'RULES: must be JSON',
      'PEER: must be host:port',
    ]) {
      expect(message).to.include(part);
    }
  });

  for (const value of ['1.5', '1e3', '0x10', '5 0', 'five', '-1', '99999999999999999999', '1_0']) {
    it(`refuses ${JSON.stringify(value)} for a whole number`, () => {
      expect(faultsOf(() => readConfig(shape, { TTL_SECONDS: value }))).to.include('TTL_SECONDS');
    });
  }

  it('names the place in a JSON setting', () => {
    const wrong = { TTL_SECONDS: '1', RULES: '{"clicks":"many","typo":1}' };
    expect(faultsOf(() => readConfig(shape, wrong)))
      .to.include('RULES.clicks')
      .and.include('typo');
    for (const RULES of ['[]', 'null', '5', '"x"']) {
      expect(faultsOf(() => readConfig(shape, { TTL_SECONDS: '1', RULES }))).to.include('RULES');
    }
  });

  it('refuses an endpoint without a host or with an impossible port', () => {
    const shape = { ENDPOINT: env.url(['http:', 'https:']) };
    expect(readConfig(shape, { ENDPOINT: 'https://h:1/x' })).to.deep.equal({ ENDPOINT: 'https://h:1/x' });
    for (const ENDPOINT of ['http://', 'http:h', 'http://h:99999'])
      expect(faultsOf(() => readConfig(shape, { ENDPOINT }))).to.match(/ENDPOINT: must be a URL[^;]*$/);
  });

  it('names the faults of rules over several settings together with the others', () => {
    const rule: ConfigRule = (given) => (given['MODE'] === undefined ? [] : ['MODE: needs no PORT']);
    const given = { TTL_SECONDS: '1', MODE: 'asap', PORT: '0' };
    expect(faultsOf(() => readConfig(shape, given, [rule]))).to.match(
      /PORT: must be .*; MODE: needs no PORT\. /,
    );
    expect(faultsOf(() => readConfig(shape, { ...given, PORT: '1' }, [rule]))).to.contain(
      's: MODE: needs no PORT.',
    );
    expect(readConfig(shape, { TTL_SECONDS: '1' }, [rule]).PORT).to.equal(8080);
  });

  it('has the settings of every process', () => {
    expect(
      readConfig(baseShape({ grpcPort: 50_051, metricsPort: 9081 }), { LOG_LEVEL: 'debug' }),
    ).to.deep.equal({
      HOST: '0.0.0.0',
      GRPC_PORT: 50_051,
      METRICS_PORT: 9081,
      LOG_LEVEL: 'debug',
    });
  });
});
