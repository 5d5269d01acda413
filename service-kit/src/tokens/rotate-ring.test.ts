import { expect } from 'chai';
import { parseRing, RING_KEYS_MAX, writeRing, type RingKey, type RingKeys } from './key-ring.js';
import { rotateRing } from './rotate-ring.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-11-10T00:00:00Z');

function key(kid: string, sealsFromMs: number): RingKey {
  return { kid, secret: new Uint8Array(32).fill(kid.length), sealsFromMs };
}

function kidsAfter(keys: RingKeys, nowMs = NOW_MS): readonly string[] | null {
  return rotateRing(keys, key('fresh', nowMs + 1), nowMs)?.map(({ kid }) => kid) ?? null;
}

describe('the rotation of a key ring', () => {
  it('puts the new key first and keeps the one that seals', () => {
    expect(kidsAfter([key('first', 0)])).to.deep.equal(['fresh', 'first']);
  });

  it('keeps a key while one of its tokens may be valid, and then drops it', () => {
    const ring: RingKeys = [key('second', NOW_MS - 2 * DAY_MS), key('first', 0)];
    expect(kidsAfter(ring)).to.deep.equal(['fresh', 'second', 'first']);
    expect(kidsAfter(ring, NOW_MS + DAY_MS)).to.deep.equal(['fresh', 'second']);
  });

  it('keeps every key after one whose instant has not come', () => {
    const ring: RingKeys = [key('third', NOW_MS + 1), key('second', NOW_MS - 1), key('first', 0)];
    expect(kidsAfter(ring)).to.deep.equal(['fresh', 'third', 'second', 'first']);
  });

  it('fails when too many keys may still be needed', () => {
    const many = Array.from({ length: RING_KEYS_MAX }, (_, index) => key(`k${index}`, NOW_MS - index));
    expect(kidsAfter(many as unknown as RingKeys)).to.equal(null);
  });

  it('gives a ring that is the same after it was written and read', () => {
    const ring: RingKeys = [key('second', NOW_MS), key('first', 0)];
    const text = writeRing(ring);
    expect(text).to.match(/^second:[\w-]{43}@2026-11-10T00:00:00Z,first:[\w-]{43}$/);
    expect(parseRing(text).map(({ kid, sealsFromMs }) => [kid, sealsFromMs])).to.deep.equal([
      ['second', NOW_MS],
      ['first', 0],
    ]);
  });
});
