import { systemRandom } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { isAlive, isSessionToken, makeSessionToken } from './session.js';

const MINUTE_MS = 60_000;

describe('a session', () => {
  it('has a token that only it has, and that is no API key', () => {
    const token = makeSessionToken(systemRandom);
    expect(isSessionToken(token)).to.equal(true);
    expect(token).not.to.equal(makeSessionToken(systemRandom));
    for (const other of ['', token.slice(1), `${token}0`, token.replace('pls', 'plk')])
      expect(isSessionToken(other), other).to.equal(false);
  });

  it('ends after 30 minutes without use', () => {
    const session = { createdAtMs: 0, lastUsedAtMs: 5 * MINUTE_MS };
    expect(isAlive(session, 35 * MINUTE_MS - 1)).to.equal(true);
    expect(isAlive(session, 35 * MINUTE_MS)).to.equal(false);
  });

  it('ends after twelve hours, even in use', () => {
    const used = (atMs: number) => ({ createdAtMs: 0, lastUsedAtMs: atMs });
    expect(isAlive(used(720 * MINUTE_MS - 1), 720 * MINUTE_MS - 1)).to.equal(true);
    expect(isAlive(used(720 * MINUTE_MS), 720 * MINUTE_MS)).to.equal(false);
  });
});
