import { expect } from 'chai';
import { inspect } from 'node:util';
import { parseKeyRing } from './key-ring.js';

const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64url');

describe('parseKeyRing', () => {
  it('reads keys in their order and ignores blanks around them', () => {
    const ring = parseKeyRing(` k1:${secret(1)} , k-2_x:${secret(2)}`);
    expect(ring.keys().map((key) => key.kid)).to.deep.equal(['k1', 'k-2_x']);
    expect(ring.keys()[0].secret).to.have.length(32);
  });

  for (const [text, fault] of [
    ['', 'key 1 must be written kid:base64url-of-32-bytes'],
    [`k1:${secret(1)},`, 'key 2 must be written kid:base64url-of-32-bytes'],
    ['k1', 'key 1 must be written kid:base64url-of-32-bytes'],
    [`:${secret(1)}`, 'key 1 must have an id of 1 to 16 letters, digits, _ or -'],
    [`k 1:${secret(1)}`, 'key 1 must have an id of 1 to 16 letters, digits, _ or -'],
    [`${'k'.repeat(17)}:${secret(1)}`, 'key 1 must have an id of 1 to 16 letters, digits, _ or -'],
    ['k1:c2hvcnQ', 'key 1 must be 32 bytes in base64url: 43 letters, digits, - or _'],
    [`k1:${secret(1)}=`, 'key 1 must be 32 bytes in base64url: 43 letters, digits, - or _'],
    [
      `k1:${secret(1)},k2:${secret(255).replaceAll('_', '/')}`,
      'key 2 must be 32 bytes in base64url: 43 letters, digits, - or _',
    ],
    [`k1:${secret(1)},k1:${secret(2)}`, 'has the key id k1 twice'],
    [`k1:${secret(1)}@tomorrow`, 'key 1 must have an instant such as 2026-01-31T10:00:00Z behind its @'],
    [`k1:${secret(1)}@2026-02-31T25:00:00Z`, 'key 1 must have an instant'],
    [`k1:${secret(1)}@2026-02-30T10:00:00Z`, 'key 1 must have an instant'],
    [`k1:${secret(1)}@1969-12-31T23:59:59Z`, 'key 1 must have an instant'],
    [`k1:${secret(1)}@10000-01-01T00:00:00Z`, 'key 1 must have an instant'],
    ['file:/nowhere/ring', 'the file cannot be read (ENOENT'],
    [Array.from({ length: 9 }, (_, i) => `k${i}:${secret(i)}`).join(','), 'must have at most 8 keys'],
  ] as const) {
    it(`refuses a wrong ring: ${fault}`, () => {
      expect(() => parseKeyRing(text)).to.throw(Error, fault);
    });
  }

  it('shows no key in a fault or a log', () => {
    const text = `k1:${secret(1)}`;
    const ring = parseKeyRing(text);
    for (const shown of [JSON.stringify({ ring }), inspect(ring, { depth: 9 })]) {
      expect(shown).to.not.include(secret(1)).and.not.include('1, 1, 1');
    }
    expect(JSON.stringify({ ring })).to.equal('{"ring":["k1"]}');
    expect(() => parseKeyRing(`k1:${secret(1)}x`))
      .to.throw(Error)
      .and.satisfy((error: Error) => !error.message.includes(secret(1)));
  });

  it('seals with the first key whose instant has come, or else with the last key', () => {
    const ring = parseKeyRing(
      `k3:${secret(3)}@2026-01-03T00:00:00Z,k2:${secret(2)}@2026-01-02T00:00:00Z,k1:${secret(1)}`,
    );
    const sealing = (instant: string): string => {
      ring.bringUpToDate(Date.parse(instant));
      return ring.sealing().kid;
    };
    expect(ring.sealing().kid).to.equal('k1');
    expect(sealing('2026-01-01T23:59:59.999Z')).to.equal('k1');
    expect(sealing('2026-01-02T00:00:00Z')).to.equal('k2');
    expect(sealing('2026-01-03T00:00:00Z')).to.equal('k3');
    expect(parseKeyRing(`k1:${secret(1)}@2026-01-02T00:00:00Z`).sealing().kid).to.equal('k1');
  });
});
