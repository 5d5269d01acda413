import { expect } from 'chai';
import { makeTestScope } from '../testing/scope.js';
import { makeTestTimers } from '../testing/timers.js';
import { makeLogger } from './logs.js';
import { makeSampledLog, SAMPLED_MS } from './sampled-log.js';

describe('makeSampledLog', () => {
  function opened() {
    const lines: Record<string, unknown>[] = [];
    const write = (text: string): void => void lines.push(JSON.parse(text) as Record<string, unknown>);
    const timers = makeTestTimers();
    const scope = makeTestScope({ log: makeLogger('x', 'info', { destination: { write } }), timers });
    const repeated = (): readonly unknown[] => lines.map((line) => line['repeated']);
    return { lines, repeated, timers, scope, log: makeSampledLog(scope) };
  }

  it('writes the first line of a kind at once, without a count', () => {
    const { lines, log } = opened();
    log.warn({ code: 'unavailable', reason: 'x' }, 'a request failed');
    expect(lines).to.have.lengthOf(1);
    expect(lines[0]).to.include({ level: 40, msg: 'a request failed', reason: 'x' });
    expect(lines[0]).to.not.have.property('repeated');
  });

  it('leaves later lines out, and writes their number at the end of the pause, with the newest of them', async () => {
    const { lines, repeated, timers, log } = opened();
    for (let turn = 0; turn <= 413; turn += 1) log.warn({ code: 'unavailable', turn }, 'a request failed');
    await timers.advance(SAMPLED_MS - 1);
    expect(lines).to.have.lengthOf(1);
    await timers.advance(1);
    expect(repeated()).to.deep.equal([undefined, 413]);
    expect(lines[1]).to.include({ level: 40, msg: 'a request failed', code: 'unavailable', turn: 413 });
  });

  it('writes one line in each pause while lines come, and the next one after a quiet pause at once', async () => {
    const { repeated, timers, log } = opened();
    for (let turn = 0; turn < 3; turn += 1) {
      log.error({ method: 'RequestAd' }, 'call failed');
      log.error({ method: 'RequestAd' }, 'call failed');
      await timers.advance(SAMPLED_MS);
    }
    expect(repeated()).to.deep.equal([undefined, 1, 2, 2]);
    await timers.advance(SAMPLED_MS);
    log.error({ method: 'RequestAd' }, 'call failed');
    expect(repeated()).to.deep.equal([undefined, 1, 2, 2, undefined]);
  });

  it('writes the numbers when the process stops, and has no timer left', async () => {
    const { repeated, timers, scope, log } = opened();
    for (let call = 0; call < 20; call += 1) log.warn({ caller: 'keyless' }, 'a call was refused');
    log.warn({ caller: 'none' }, 'a call was refused');
    await scope.close();
    expect(repeated()).to.deep.equal([undefined, undefined, 19]);
    expect(timers.waitsMs).to.deep.equal([]);
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

  it('remembers a limited number of kinds, and writes the number of a kind that it forgets', () => {
    const { lines, repeated, log } = opened();
    log.warn({ code: 'c0' }, 'a request failed');
    for (let kind = 0; kind <= 1_000; kind += 1) log.warn({ code: `c${kind}` }, 'a request failed');
    log.warn({ code: 'c1000' }, 'a request failed');
    expect(lines).to.have.lengthOf(1_002);
    expect(repeated().filter((count) => count !== undefined)).to.deep.equal([1]);
    log.warn({ code: 'c0' }, 'a request failed');
    expect(lines).to.have.lengthOf(1_003);
  });
});
