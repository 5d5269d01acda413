import { expect } from 'chai';
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

describe('the session token cache', () => {
  it('opens a token once, remembers no forged one, and lets the longest unused one leave first', async () => {
    const opened: string[] = [];
    const open = makeSessionOpener(
      {
        open(token) {
          opened.push(token);
          return Promise.resolve(token === 'forged' ? null : claimsOf(token));
        },
      },
      2,
    );
    for (const token of ['a', 'b', 'a', 'c', 'a', 'b', 'forged', 'forged']) await open(token);
    expect(opened).to.eql(['a', 'b', 'c', 'b', 'forged', 'forged']);
    expect((await open('a'))?.sessionId ?? null).to.equal('a');
    expect(await open('forged')).to.equal(null);
  });
});
