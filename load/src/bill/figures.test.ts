import { expect } from 'chai';
import { billOf, type Turn } from './figures.js';

const turns = (round: number, of: readonly (readonly [part: string | null, micros: number])[]): Turn[] =>
  of.map(([part, micros]) => ({ call: 'request', round, part, micros, uses: part === null ? 0 : 2 }));

describe('the bill of a call', () => {
  // The machine becomes slower: every turn takes 10 µs more than the one before.
  const drifting = turns(1, [
    [null, 400],
    ['limits', 310],
    [null, 420],
    ['caps', 410],
    [null, 440],
  ]);
  const steady = turns(2, [
    [null, 400],
    ['limits', 340],
    [null, 400],
    ['caps', 380],
    [null, 400],
  ]);

  it('compares a turn without a part with the whole turns around it, so that a drift is not counted as its price', () => {
    const { lines } = billOf('request', drifting);
    expect(lines.map(({ name, saved }) => [name, saved])).to.deep.equal([
      ['rate limits', [100]],
      ['frequency caps', [20]],
    ]);
  });

  it('has one figure for each round, the number of uses per call, and the share of the price', () => {
    const { price, lines } = billOf('request', [...drifting, ...steady]);
    expect(price).to.deep.equal([420, 400]);
    expect(lines[0]).to.deep.equal({ name: 'rate limits', saved: [100, 60], share: 80 / 410, uses: 2 });
  });

  it('separates the call between two services from the work at its end', () => {
    const { lines } = billOf(
      'request',
      turns(1, [
        [null, 400],
        ['fraud-service', 300],
        [null, 400],
        ['fraud-rules', 340],
        [null, 400],
      ]),
    );
    expect(lines.map(({ name, saved }) => [name, saved[0]])).to.deep.equal([
      ['fraud-service: call and rules', 100],
      ['fraud-service: rules', 60],
      ['= fraud-service: call and rules, less fraud-service: rules', 40],
    ]);
  });

  it('ignores other calls', () => {
    expect(billOf('session', drifting).price).to.deep.equal([]);
  });
});
