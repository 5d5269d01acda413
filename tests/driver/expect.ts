import { expect } from 'chai';
import type { Answer } from './http.js';
import type { Fill } from './wire.js';

/**
 * The headers of every answer of the SDK API, including errors (docs/contract/requests.md#every-answer). The gateway of 0.1.0,
 * which runs in the test of mixed releases, gives no request id. gateway/test/request-id.test.ts proves that this one does.
 */
export function expectEnvelopeHeaders(answer: Answer): void {
  expect(answer.headers['cache-control'], answer.text).to.equal('no-store, private');
  expect(answer.headers['content-type'], answer.text).to.equal('application/json; charset=utf-8');
  const id = answer.headers['x-request-id'];
  if (id !== undefined) expect(id, answer.text).to.match(/^req_[0-9a-f]{32}$/);
}

/** The error envelope with exactly this status and code; `fields` only for `validation_failed`. */
export function expectError(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.error?.code }, answer.text).to.deep.equal({
    status,
    code,
  });
  expectEnvelopeHeaders(answer);
  expect(answer.headers, answer.text).to.have.property('x-request-id');
  expect(Object.keys(answer.body)).to.deep.equal(['error']);
  expect(answer.body.error!.message).to.be.a('string').and.not.equal('');
  const keys = Object.keys(answer.body.error!);
  const allowed = code === 'validation_failed' ? ['code', 'message', 'fields'] : ['code', 'message'];
  expect(allowed, answer.text).to.include.members(keys);
}

/** 422 `validation_failed` that lists exactly these fields, each with at least one message. */
export function expectInvalid(answer: Answer, fields: readonly string[], status = 422): void {
  expectError(answer, status, 'validation_failed');
  const listed = answer.body.error?.fields ?? {};
  expect(Object.keys(listed).sort(), answer.text).to.deep.equal([...fields].sort());
  for (const messages of Object.values(listed)) {
    expect(messages).to.be.an('array').that.is.not.empty;
    for (const message of messages) expect(message).to.be.a('string');
  }
}

/** 429 with a `Retry-After` of 1 to 60 whole seconds. */
export function expectLimited(answer: Answer): void {
  expectError(answer, 429, 'rate_limited');
  expect(answer.headers['retry-after']).to.match(/^[0-9]+$/);
  expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
}

/** The rejection body of an event; 409 for `duplicate`, 422 for every other reason. */
export function expectRejected(answer: Answer, reason: string): void {
  expect({ status: answer.status, body: answer.body }, answer.text).to.deep.equal({
    status: reason === 'duplicate' ? 409 : 422,
    body: { status: 'rejected', reason },
  });
  expectEnvelopeHeaders(answer);
}

/** 200 `{ status: accepted }` and nothing else. */
export function expectAccepted(answer: Answer): void {
  expect({ status: answer.status, body: answer.body }, answer.text).to.deep.equal({
    status: 200,
    body: { status: 'accepted' },
  });
  expectEnvelopeHeaders(answer);
}

/** 200 `{ status: accepted, rewarded }` and nothing else. */
export function expectRewarded(answer: Answer, rewarded: boolean): void {
  expect({ status: answer.status, body: answer.body }, answer.text).to.deep.equal({
    status: 200,
    body: { status: 'accepted', rewarded },
  });
  expectEnvelopeHeaders(answer);
}

/** A no-fill with this reason, with its own request id and nothing beyond the specified fields. */
export function expectNoFill(answer: Answer, reason: string, fallback = 'partner'): void {
  expect(answer.status, answer.text).to.equal(200);
  expect(answer.body.request_id, answer.text).to.match(/^req_[A-Za-z0-9_-]{1,60}$/);
  expect({ ...answer.body, request_id: '' }, answer.text).to.deep.equal({
    status: 'no_fill',
    request_id: '',
    fallback,
    reason,
  });
  expectEnvelopeHeaders(answer);
}

/** Asserts a fill and returns the fields that events need. */
export function fillOf(answer: Answer): Fill {
  expect({ status: answer.status, outcome: answer.body.status }, answer.text).to.deep.equal({
    status: 200,
    outcome: 'fill',
  });
  expectEnvelopeHeaders(answer);
  return { requestId: answer.body.request_id, token: answer.body.ad.impression_token, ad: answer.body.ad };
}
