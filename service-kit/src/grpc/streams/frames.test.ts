import { ExchangeRequest, ExchangeResponse } from '@placard/protos/batch/v1/batch.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeAnswers, decodeCalls, encodeAbandoned, encodeAnswers, encodeCalls } from './frames.js';
import { OutgoingCall } from '../outgoing-call.js';

const number = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string({ maxLength: 20 }));
const bytes = fc.uint8Array({ maxLength: 20_000 }).map((array) => Buffer.from(array));
const results = fc.array(
  fc.record({ index: number, status: number, response: bytes, details: text, error: bytes }),
  { maxLength: 5 },
);
const members = fc.array(
  fc.record({
    path: text,
    request: bytes,
    remainingMs: fc.integer({ min: 0, max: 3_000 }),
    requestId: text,
    traceparent: text,
  }),
  { maxLength: 5 },
);

describe('a frame of calls or answers', () => {
  it('is a message that the generated code reads', () => {
    fc.assert(
      fc.property(members, fc.nat(1_000_000), (given, firstId) => {
        const calls = given.map(({ remainingMs, ...content }) => {
          const ends = { onResponse: () => undefined, onError: () => undefined };
          const rest = { startedAt: 0, deadlineAt: 0, isRetried: false, ...ends };
          return new OutgoingCall({ ...content, ...rest, budgetMs: remainingMs + 5.5 });
        });
        const frame = encodeCalls(calls, firstId, 5);
        const expected = given.map((member, index) => ({ ...member, id: firstId + index }));
        expect(ExchangeRequest.decode(frame).members).to.deep.equal(expected);
      }),
    );
    fc.assert(
      fc.property(fc.array(number), (ids) => {
        expect(ExchangeRequest.decode(encodeAbandoned(ids))).to.deep.equal({ members: [], abandoned: ids });
      }),
    );
    fc.assert(
      fc.property(results, fc.boolean(), (given, renew) => {
        const frame = encodeAnswers({ results: given, renew });
        expect(ExchangeResponse.decode(frame)).to.deep.equal({ results: given, renew });
      }),
    );
  });

  it('is read correctly when the generated code has written it', () => {
    fc.assert(
      fc.property(members, number, fc.array(number), (given, id, ids) => {
        const expected = given.map((member) => ({ ...member, id }));
        const frame = Buffer.from(ExchangeRequest.encode({ members: expected, abandoned: ids }).finish());
        expect(decodeCalls(frame)).to.deep.equal({ members: expected, abandoned: ids });
      }),
    );
    fc.assert(
      fc.property(results, fc.boolean(), (given, renew) => {
        const frame = Buffer.from(ExchangeResponse.encode({ results: given, renew }).finish());
        expect(decodeAnswers(frame)).to.deep.equal({ results: given, renew });
      }),
    );
  });

  it('may hold fields of a later release, which are ignored', () => {
    const later = Buffer.from([
      0x78, 0x96, 0x01, 0x7a, 2, 1, 2, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7d, 1, 2, 3, 4,
    ]);
    const member = Buffer.concat([later, Buffer.from([0x30, 5]), later]);
    const frame = Buffer.concat([later, Buffer.from([0x0a, member.length]), member]);
    expect(decodeCalls(frame)).to.deep.equal(ExchangeRequest.decode(frame));
    expect(decodeCalls(frame).members[0]?.id).to.equal(5);
    expect(decodeAnswers(later)).to.deep.equal({ results: [], renew: false });
  });

  it('is refused when it is cut off or malformed, and is never read beyond its end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (noise) => {
        for (const decode of [decodeCalls, decodeAnswers]) {
          try {
            decode(Buffer.from(noise));
          } catch (error) {
            expect(error).to.be.instanceOf(RangeError);
          }
        }
      }),
    );
    for (const broken of [[0x0a], [0x0a, 3, 0x30], [0x0a, 2, 0x12, 9], [0x0a, 1, 0x79], [0x0b]])
      expect(() => decodeCalls(Buffer.from(broken)), String(broken)).to.throw(RangeError);
  });
});
