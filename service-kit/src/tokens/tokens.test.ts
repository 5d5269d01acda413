import { expect } from 'chai';
import fc from 'fast-check';
import { compactDecrypt, CompactEncrypt } from 'jose';
import {
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  asRequestId,
  asSessionId,
  type ImpressionClaims,
  type SessionClaims,
} from '../pure/index.js';
import { parseKeyRing } from './key-ring.js';
import { makeSealer, TOKEN_CHARS_MAX } from './seal.js';
import { makeImpressionTokens, makeSessionTokens } from './tokens.js';

const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64url');
const ring = parseKeyRing(`k1:${secret(1)}`);
const sessions = makeSessionTokens(ring);
const impressions = makeImpressionTokens(ring);

const session: SessionClaims = {
  sessionId: asSessionId('0123456789abcdef0123456789abcdef'),
  appId: asAppId('app_sunrise_puzzle'),
  packageName: 'com.sunrise.puzzle',
  isTest: false,
  issuedAtMs: 1_767_225_600_001,
  expiresAtMs: 1_767_229_200_001,
};
const impression: ImpressionClaims = {
  requestId: asRequestId('req_0123456789abcdef0123456789abcdef'),
  sessionId: session.sessionId,
  sessionExpiresAtMs: session.expiresAtMs,
  appId: session.appId,
  publisherId: asPublisherId('pub_sunrise'),
  placement: asPlacementCode('home_banner'),
  format: 'banner',
  country: null,
  leaseRun: '0123456789abcdef',
  traceparent: null,
  campaignId: asCampaignId('cmp_spring'),
  creativeId: asCreativeId('cr_spring_banner'),
  advertiserId: asAdvertiserId('adv_northwind'),
  costNanos: 9_007_199_254_740_993n,
  publisherNanos: 6_305_039_478_318_695n,
  bannerRefreshSeconds: 30,
  isTest: false,
  filledAtMs: 1_767_225_600_123,
  expiresAtMs: 1_767_227_400_123,
};

/** A token from someone who has the key. */
function forge(
  payload: unknown,
  header: object = { alg: 'dir', enc: 'A256GCM', kid: 'k1' },
): Promise<string> {
  const key = Buffer.alloc(32, 1);
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header as never).encrypt(key);
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Another text of the same bytes: only the unused bits of the last letter differ. Null: there are no unused bits. */
function otherSpelling(part: string): string | null {
  const last = BASE64URL.indexOf(part.slice(-1));
  for (let bit = 1; bit < 16; bit *= 2) {
    const other = part.slice(0, -1) + (BASE64URL[last ^ bit] ?? '');
    if (Buffer.from(other, 'base64url').equals(Buffer.from(part, 'base64url'))) return other;
  }
  return null;
}

describe('session and impression tokens', () => {
  it('return exactly the sealed claims, to the nano-unit and the millisecond', () => {
    expect(sessions.open(sessions.seal(session))).to.deep.equal(session);
    expect(impressions.open(impressions.seal(impression))).to.deep.equal(impression);
    const other = { ...impression, country: 'DE', isTest: true, costNanos: 0n, publisherNanos: 0n };
    expect(impressions.open(impressions.seal(other))).to.deep.equal(other);
  });

  it('are different each time and show nothing of their content', () => {
    const [one, two] = [impressions.seal(impression), impressions.seal(impression)];
    expect(one).to.not.equal(two);
    const shown = one
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join('');
    expect(shown).to.not.include('cmp_spring').and.not.include('9007199254740993');
  });

  it('are opened even when they have expired: the caller judges that', () => {
    const over = { ...session, expiresAtMs: 1 };
    expect(sessions.open(sessions.seal(over))).to.deep.equal(over);
  });

  it('are refused as the other kind of token, even with one ring for both', () => {
    expect(impressions.open(sessions.seal(session))).to.equal(null);
    expect(sessions.open(impressions.seal(impression))).to.equal(null);
  });

  it('are refused when the text is no token', () => {
    const texts = [
      'blah',
      'a.b.c',
      '..',
      '....',
      '',
      ' ',
      'A'.repeat(2048),
      'A'.repeat(2049),
      '😀',
      '\0',
      'a.b.c.d.e',
    ];
    const header = sessions.seal(session).split('.')[0] ?? '';
    texts.push(
      `${header}....`,
      `${header}..a.b.c`,
      header,
      `${header}.${header}.${header}.${header}.${header}`,
    );
    for (const text of texts) {
      expect(sessions.open(text), text.slice(0, 20)).to.equal(null);
      expect(impressions.open(text), text.slice(0, 20)).to.equal(null);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => sessions.open(text) === null),
      { numRuns: 200 },
    );
  });

  it('are refused when any one letter was changed', () => {
    const token = sessions.seal(session);
    for (let at = 0; at < token.length; at += 1) {
      const letter = token[at] === 'A' ? 'B' : 'A';
      expect(sessions.open(token.slice(0, at) + letter + token.slice(at + 1)), `at ${at}`).to.equal(null);
    }
  });

  it('are refused when any part has another spelling of the same bytes', () => {
    // Package names of three lengths, so that every number of unused bits occurs.
    let spellings = 0;
    for (const packageName of ['com.a', 'com.aa', 'com.aaa']) {
      const token = sessions.seal({ ...session, packageName });
      const parts = token.split('.');
      for (const [index, part] of parts.entries()) {
        const other = part === '' ? null : otherSpelling(part);
        if (other === null) continue;
        spellings += 1;
        const respelled = parts.map((text, at) => (at === index ? other : text)).join('.');
        expect(sessions.open(respelled), `part ${index}`).to.equal(null);
      }
    }
    expect(spellings).to.be.at.least(5);
  });

  it('are refused with padding, blanks, line ends or the other base64 alphabet', () => {
    const token = sessions.seal(session);
    const parts = token.split('.');
    const variants = [
      ` ${token}`,
      `${token} `,
      `${token}\n`,
      `${token}=`,
      `${token}.`,
      `.${token}`,
      `${token}\0`,
    ];
    for (const index of parts.keys()) {
      for (const suffix of ['=', '==', ' ', '\n', '*']) {
        variants.push(parts.map((text, at) => (at === index ? text + suffix : text)).join('.'));
      }
    }
    const swapped = token.replaceAll('-', '+').replaceAll('_', '/');
    if (swapped !== token) variants.push(swapped);
    for (const variant of variants) expect(sessions.open(variant), JSON.stringify(variant)).to.equal(null);
  });

  it('are refused with another algorithm, encryption, header or key, even if the key is known', async () => {
    const payload = JSON.stringify({
      iss: 'placard',
      kind: 'session',
      sid: 's',
      app: 'a',
      pkg: 'p',
      test: false,
      iat: 1,
      exp: 2,
    });
    expect(sessions.open(await forge(payload))).to.include({ appId: 'a' });
    const unknown = makeSessionTokens(parseKeyRing(`k2:${secret(1)}`));
    expect(unknown.open(await forge(payload)), 'unknown kid').to.equal(null);
    const otherKey = makeSessionTokens(parseKeyRing(`k1:${secret(2)}`));
    expect(otherKey.open(await forge(payload)), 'other key').to.equal(null);
    for (const header of [
      { alg: 'dir', enc: 'A256GCM' },
      { alg: 'dir', enc: 'A128CBC-HS256', kid: 'k1' },
      { alg: 'A256GCMKW', enc: 'A256GCM', kid: 'k1' },
      { enc: 'A256GCM', alg: 'dir', kid: 'k1' },
      { alg: 'dir', enc: 'A256GCM', kid: 'k1', typ: 'JWT' },
    ]) {
      expect(sessions.open(await forge(payload, header)), JSON.stringify(header)).to.equal(null);
    }
  });

  it('are refused with another issuer, kind or type, even if sealed with the key', async () => {
    const good = {
      iss: 'placard',
      kind: 'session',
      sid: 's',
      app: 'a',
      pkg: 'p',
      test: false,
      iat: 1,
      exp: 2,
    };
    expect(sessions.open(await forge(good))).to.not.equal(null);
    const wrong = ['no json', '[]', 'null', '{}', { ...good, iss: 'else' }, { ...good, kind: 'impression' }];
    for (const claims of wrong)
      expect(sessions.open(await forge(claims)), JSON.stringify(claims)).to.equal(null);
    // Only a newer release seals such claims. Contract: docs/contract/newer-values.md#tokens.
    const newer = [{ exp: '2' }, { exp: 1.5 }, { exp: -1 }, { test: 0 }, { sid: null }];
    for (const claims of newer) {
      const token = await forge({ ...good, ...claims });
      expect(() => sessions.open(token), JSON.stringify(claims)).to.throw('newer release');
    }
  });

  it('stay within the length that clients may send back, with every id at its longest', () => {
    const longest: ImpressionClaims = {
      ...impression,
      requestId: asRequestId('r'.repeat(64)),
      sessionId: asSessionId('s'.repeat(64)),
      sessionExpiresAtMs: Number.MAX_SAFE_INTEGER,
      appId: asAppId('a'.repeat(64)),
      publisherId: asPublisherId('p'.repeat(64)),
      placement: asPlacementCode('c'.repeat(64)),
      format: 'interstitial',
      country: 'DE',
      leaseRun: '0123456789abcdef',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      campaignId: asCampaignId(`cmp_${'c'.repeat(60)}`),
      creativeId: asCreativeId(`cr_${'c'.repeat(60)}`),
      advertiserId: asAdvertiserId('a'.repeat(64)),
      costNanos: 9_223_372_036_854_775_807n,
      publisherNanos: 9_223_372_036_854_775_807n,
      bannerRefreshSeconds: Number.MAX_SAFE_INTEGER,
      filledAtMs: Number.MAX_SAFE_INTEGER,
      expiresAtMs: Number.MAX_SAFE_INTEGER,
    };
    const longRing = parseKeyRing(`${'k'.repeat(16)}:${secret(1)}`);
    const token = makeImpressionTokens(longRing).seal(longest);
    expect(token.length).to.be.below(TOKEN_CHARS_MAX);
    // A package name of 255 letters of 4 bytes each is more than Android allows.
    const widest = {
      ...session,
      sessionId: longest.sessionId,
      appId: longest.appId,
      packageName: '😀'.repeat(255),
    };
    const sealed = makeSessionTokens(longRing).seal(widest);
    expect(sealed.length).to.be.below(TOKEN_CHARS_MAX);
    expect(makeSessionTokens(longRing).open(sealed)).to.deep.equal(widest);
  });

  it('cannot be made when they would be too long', () => {
    expect(() => sessions.seal({ ...session, packageName: 'x'.repeat(2_000) })).to.throw('too long');
  });

  it('are compatible with jose in both directions', async () => {
    const key = Buffer.alloc(32, 1);
    const sealer = makeSealer(ring);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 400 }), async (text) => {
        const token = sealer.seal(text);
        const { plaintext, protectedHeader } = await compactDecrypt(token, key);
        expect(Buffer.from(plaintext).toString('utf8')).to.equal(text);
        expect(protectedHeader).to.deep.equal({ alg: 'dir', enc: 'A256GCM', kid: 'k1' });
        expect(sealer.open(await forge(text))).to.equal(text);
      }),
      { numRuns: 200 },
    );
  });

  it('never use a nonce twice', () => {
    const sealer = makeSealer(ring);
    const nonces = Array.from({ length: 5_000 }, () => sealer.seal('').split('.')[2]);
    expect(new Set(nonces).size).to.equal(5_000);
  });

  it('are sealed with the first key and opened with all keys, so that a rotation interrupts nothing', () => {
    const old = sessions.seal(session);
    const both = makeSessionTokens(parseKeyRing(`k2:${secret(2)},k1:${secret(1)}`));
    const fresh = both.seal(session);
    expect(both.open(old)).to.deep.equal(session);
    expect(both.open(fresh)).to.deep.equal(session);
    expect(sessions.open(fresh)).to.equal(null);
    expect(makeSessionTokens(parseKeyRing(`k2:${secret(2)}`)).open(old)).to.equal(null);
  });
});
