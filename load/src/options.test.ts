import { expect } from 'chai';
import { parseLoadOptions } from './options.js';

describe('the arguments of the load command', () => {
  it('have defaults for everything but the command', () => {
    expect(parseLoadOptions(['gateway'])).to.include({
      command: 'gateway',
      rate: null,
      concurrency: 16,
      durationMs: 20_000,
    });
  });

  it('measure the exchange of leases with ten thousand campaigns for three minutes', () => {
    expect(parseLoadOptions(['leases'])).to.include({
      command: 'leases',
      catalogSize: 10_000,
      warmupMs: 60_000,
      durationMs: 180_000,
    });
  });

  it('compare five rounds, and guard with a number of pending calls that has a bound', () => {
    expect(parseLoadOptions(['compare'])).to.include({ rounds: 5, concurrency: 16 });
    expect(parseLoadOptions(['guard'])).to.include({ rounds: 3, concurrency: 64, durationMs: 4_000 });
  });

  it('choose calls and parts of the bill', () => {
    const { calls, parts } = parseLoadOptions(['bill', '--calls', 'request', '--parts', 'caps,limits']);
    expect([calls, parts]).to.deep.equal([['request'], ['caps', 'limits']]);
  });

  it('choose an open loop by its rate', () => {
    expect(parseLoadOptions(['serving', '--rate', '250']).rate).to.equal(250);
  });

  it('offer each step of an overload for a minute, with clients like phones', () => {
    expect(parseLoadOptions(['overload'])).to.include({
      durationMs: 60_000,
      timeoutMs: 1_500,
      saturation: null,
    });
    expect(parseLoadOptions(['overload', '--saturation', '4500']).saturation).to.equal(4_500);
  });

  it('have clients as patient as phones in an open loop', () => {
    expect(parseLoadOptions(['gateway']).timeoutMs).to.equal(10_000);
    expect(parseLoadOptions(['gateway', '--rate', '250']).timeoutMs).to.equal(1_500);
    expect(parseLoadOptions(['gateway', '--client-timeout', '700']).timeoutMs).to.equal(700);
  });

  for (const [argv, fault] of [
    [[], 'Name one command'],
    [['nothing'], 'nothing is not a command. Name one command'],
    [['gateway', 'events'], 'Name one command'],
    [['gateway', '--rate', 'x'], '--rate: must be a number'],
    [['gateway', '--rate', '9', '--concurrency', '2'], 'exclude each other'],
    [['gateway', '--mix', 'show=1'], 'no operation show'],
    [['gateway', '--fast'], "Unknown option '--fast'. npm run load -- --help lists the options."],
    [['leases', '--sessions', '5'], '--sessions: means nothing to leases'],
    [['gateway', '--rounds', '2'], '--rounds: means nothing to gateway, only to compare, guard, bill'],
    [['all', '--address', '127.0.0.1:1'], '--address: means nothing to all'],
    [['events', '--address', '127.0.0.1:1', '--stub'], '--stub: means nothing with --address'],
    [['gateway', '--catalog', 'a.yaml', '--catalog-size', '100'], '--catalog and --catalog-size exclude'],
    [['gateway', '--generators', '1.5'], '--generators: must be a whole number'],
    [['gateway', '--out', 'f\ufffd'], 'Argument 3 is not UTF-8 at its character 2.'],
    [['bill', '--calls', 'click'], '--calls: no call click; there are session, request, impression'],
    [['bill', '--parts', 'caps,fast'], '--parts: no part fast; there are limits, validation'],
  ] as const) {
    it(`are refused when they are ${argv.join(' ') || 'none'}`, () => {
      expect(() => parseLoadOptions(argv)).to.throw(Error, fault);
    });
  }
});
