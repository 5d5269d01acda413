import { expect } from 'chai';
import { makeTestClock } from '../testing/clock.js';
import { makeLogger } from './logs.js';
import { makeSampledLog, SAMPLED_MS } from './sampled-log.js';

describe('makeSampledLog', () => {
  function opened() {
    const lines: Record<string, unknown>[] = [];
    const write = (text: string): void => void lines.push(JSON.parse(text) as Record<string, unknown>);
    const clock = makeTestClock(1_000);
    const log = makeSampledLog({ log: makeLogger('x', 'info', { destination: { write } }), clock });
    return { lines, clock, log };
  }

  it('writes the first line of a kind at once, without a count', () => {
    const { lines, log } = opened();
    log.warn({ code: 'unavailable', reason: 'x' }, 'a request failed');
    expect(lines).to.have.lengthOf(1);
    expect(lines[0]).to.include({ level: 40, msg: 'a request failed', reason: 'x' });
    expect(lines[0]).to.not.have.property('repeated');
  });

  it('counts later lines, and writes their number with the first line after the pause', () => {
    const { lines, clock, log } = opened();
    for (let turn = 0; turn < 413; turn += 1) log.warn({ code: 'unavailable' }, 'a request failed');
    clock.advance(SAMPLED_MS - 1);
    log.warn({ code: 'unavailable' }, 'a request failed');
    expect(lines).to.have.lengthOf(1);
    clock.advance(1);
    log.warn({ code: 'unavailable' }, 'a request failed');
    expect(lines[1]).to.include({ repeated: 413 });
  });

  it('begins each count anew', () => {
    const { lines, clock, log } = opened();
    for (let turn = 0; turn < 3; turn += 1) {
      log.error({ method: 'RequestAd' }, 'call failed');
      log.error({ method: 'RequestAd' }, 'call failed');
      clock.advance(SAMPLED_MS);
    }
    expect(lines.map((line) => line['repeated'])).to.deep.equal([undefined, 1, 1]);
  });

  it('counts each level, message, code, method and route by itself', () => {
    const { lines, log } = opened();
    for (const code of ['unavailable', 'deadline_exceeded'])
      for (const route of ['/v1/a', '/v1/b']) log.warn({ code, route }, 'a request failed');
    log.warn({ method: 'RequestAd' }, 'a request failed');
    log.error({ method: 'RequestAd' }, 'a request failed');
    log.error({ method: 'RequestAd' }, 'call failed');
    expect(lines).to.have.lengthOf(7);
  });

  it('is not silenced by a clock that is set back', () => {
    const { lines, clock, log } = opened();
    log.warn({}, 'a request failed');
    clock.advance(-3_600_000);
    log.warn({}, 'a request failed');
    expect(lines).to.have.lengthOf(2);
  });

  it('remembers a limited number of kinds', () => {
    const { lines, log } = opened();
    for (let kind = 0; kind <= 1_000; kind += 1) log.warn({ code: `c${kind}` }, 'a request failed');
    log.warn({ code: 'c1000' }, 'a request failed');
    log.warn({ code: 'c0' }, 'a request failed');
    expect(lines).to.have.lengthOf(1_002);
  });
});
