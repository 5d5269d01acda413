import { expect } from 'chai';
import { makeSessionTokens, parseKeyRing } from '@placard/service-kit/tokens';
import { asAppId, asSessionId, type SessionClaims } from '@placard/service-kit/pure';
import { makeSessionOpener } from './session-cache.js';

function claimsOf(token: string): SessionClaims {
  return {
    sessionId: asSessionId(token),
    appId: asAppId('app_a'),
    packageName: 'com.a',
    isTest: false,
    issuedAtMs: 0,
    expiresAtMs: 1,
  };
}

const key = (kid: string, fill: number): string => `${kid}:${Buffer.alloc(32, fill).toString('base64url')}`;

describe('the session token cache', () => {
  it('opens a token once, keeps no forged one, and evicts the least recently used one first', () => {
    const opened: string[] = [];
    const open = makeSessionOpener(
      {
        open(token) {
          opened.push(token);
          return token === 'forged' ? null : claimsOf(token);
        },
      },
      parseKeyRing(key('k1', 1)),
      2,
    );
    for (const token of ['a', 'b', 'a', 'c', 'a', 'b', 'forged', 'forged']) open(token);
    expect(opened).to.eql(['a', 'b', 'c', 'b', 'forged', 'forged']);
    expect(open('a')?.sessionId ?? null).to.equal('a');
    expect(open('forged')).to.equal(null);
  });

  it('refuses a cached token once the ring has lost its key, and keeps it when the ring has a new key', () => {
    const ring = parseKeyRing(key('k1', 1));
    const tokens = makeSessionTokens(ring);
    const open = makeSessionOpener(tokens, ring);
    const token = tokens.seal(claimsOf('0123456789abcdef0123456789abcdef'));
    expect(open(token)).to.not.equal(null);
    ring.bringUpToDate(0, parseKeyRing(`${key('k2', 2)},${key('k1', 1)}`).keys());
    expect(open(token)).to.not.equal(null);
    ring.bringUpToDate(0, parseKeyRing(key('k2', 2)).keys());
    expect(open(token)).to.equal(null);
  });
});
