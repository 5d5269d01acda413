import { expect } from 'chai';
import { makeTestRandom } from '../testing/index.js';
import { makeAdId, makeRequestId, makeSessionId } from './ids.js';
import { systemRandom } from './random.js';

describe('ids', () => {
  it('have the shapes of the contract', () => {
    const nowMs = Date.UTC(2026, 0, 1);
    expect(makeRequestId(nowMs, systemRandom)).to.match(/^req_[0-9a-f]{32}$/);
    expect(makeAdId(nowMs, systemRandom)).to.match(/^ad_[0-9a-f]{32}$/);
    expect(makeSessionId(systemRandom)).to.match(/^[0-9a-f]{32}$/);
  });

  it('of a later time sort later, with any random bits', () => {
    const random = makeTestRandom(1);
    const times = [0, 1, 15, 16, 1_767_225_600_000, 1_767_225_600_001, 2 ** 47];
    const ids = times.map((nowMs) => makeRequestId(nowMs, random));
    expect([...ids].sort()).to.deep.equal(ids);
  });

  it('differ when they are made in the same millisecond', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => makeRequestId(5, systemRandom)));
    expect(ids.size).to.equal(10_000);
  });
});
