import { expect } from 'chai';
import { parseLoadOptions } from './options.js';

describe('the arguments of the load command', () => {
  it('have defaults for everything but the target', () => {
    expect(parseLoadOptions(['gateway'])).to.include({
      target: 'gateway',
      rate: null,
      concurrency: 16,
      durationMs: 20_000,
    });
  });

  it('choose an open loop by its rate', () => {
    expect(parseLoadOptions(['serving', '--rate', '250']).rate).to.equal(250);
  });

  for (const [argv, fault] of [
    [[], 'Name one target'],
    [['nothing'], 'Name one target'],
    [['gateway', 'events'], 'Name one target'],
    [['gateway', '--rate', 'x'], '--rate: must be a number'],
    [['gateway', '--rate', '9', '--concurrency', '2'], 'exclude each other'],
    [['gateway', '--mix', 'show=1'], 'no operation show'],
    [['gateway', '--fast'], 'Unknown option'],
  ] as const) {
    it(`are refused when they are ${argv.join(' ') || 'none'}`, () => {
      expect(() => parseLoadOptions(argv)).to.throw(Error, fault);
    });
  }
});
