import { expect } from 'chai';
import { parsePhonesOptions } from './options.js';

const faultOf = (...argv: readonly string[]): string => {
  try {
    parsePhonesOptions(argv);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the options of the phones', () => {
  it('have defaults that two cores can carry', () => {
    expect(parsePhonesOptions([])).to.deep.equal({
      sessions: 200,
      hours: 24,
      speed: 60,
      seed: 1,
      dataDir: '.data',
    });
  });

  it('are read', () => {
    const argv = ['--sessions', '20', '--hours=1.5', '--speed', '1', '--seed', '9', '--data', 'elsewhere'];
    expect(parsePhonesOptions(argv)).to.deep.equal({
      sessions: 20,
      hours: 1.5,
      speed: 1,
      seed: 9,
      dataDir: 'elsewhere',
    });
  });

  it('are refused in one line when they cannot be meant', () => {
    expect(faultOf('--sessions', '1.5')).to.equal('--sessions: must be a whole number from 1 to 10000');
    expect(faultOf('--speed', '')).to.equal('--speed: must be a number from 1 to 1000');
    expect(faultOf('--hours', 'day')).to.contain('--hours: must be a number');
    expect(faultOf('--sessions', '2000', '--speed', '60')).to.contain('is too much traffic');
    expect(faultOf('--data', '')).to.contain('--data');
    expect(faultOf('--phones', '3')).to.match(/--phones.* npm run phones -- --help lists the options\.$/);
    expect(faultOf('three')).to.contain('npm run phones -- --help');
  });
});
