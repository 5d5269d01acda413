import { expect } from 'chai';
import {
  answerOfError,
  badGateway,
  brokenHttp,
  isRefusedCaller,
  rateLimited,
  unknownPath,
  wrongMethod,
} from './answer.js';
import { presentText } from '../sdk/domain/bodies.js';
import { contentTypeFault } from '../sdk/domain/content-type.js';
import { fieldFaults } from '../sdk/domain/field-faults.js';
import { leaseSize } from '../limits/domain/rate-limits.js';

const invalid = (fields: object, message = 'The request is not valid.') => ({
  error: { code: 'validation_failed', message, fields },
});

describe('answers to requests that reach no endpoint', () => {
  it('an unknown path is 404, and the fields name the path', () => {
    expect(unknownPath()).to.deep.equal({
      status: 404,
      outcome: 'validation_failed',
      body: invalid({ path: ['is not known'] }, 'There is nothing here.'),
    });
  });

  it('a wrong method is 405 with the allowed methods', () => {
    const answer = wrongMethod(['GET', 'HEAD']);
    expect(answer.status).to.equal(405);
    expect(answer.headers).to.deep.equal({ Allow: 'GET, HEAD' });
    const message = 'The method is not allowed here.';
    expect(answer.body).to.deep.equal(invalid({ method: ['must be GET or HEAD'] }, message));
  });

  it('broken HTTP is 400 and the last answer of its connection', () => {
    const answer = brokenHttp();
    expect(answer).to.include({ status: 400, isLast: true });
    expect(answer.body).to.deep.equal(invalid({ request: ['is not valid HTTP'] }));
  });

  it('a refused request has Retry-After, which is a minute by default', () => {
    expect(rateLimited(7)).to.deep.equal({
      status: 429,
      outcome: 'rate_limited',
      headers: { 'Retry-After': '7' },
      body: { error: { code: 'rate_limited', message: 'Too many requests.' } },
    });
    const error = { code: 'rate_limited', message: '', fields: null };
    expect(answerOfError({ ...error, retryAfterSeconds: null }).headers).to.deep.equal({
      'Retry-After': '60',
    });
    expect(answerOfError({ ...error, retryAfterSeconds: 3 }).headers).to.deep.equal({ 'Retry-After': '3' });
  });

  it('a proxied path is 502 server_error while console-service is unavailable', () => {
    expect(badGateway()).to.include({ status: 502, outcome: 'bad_gateway' });
    expect(badGateway().body).to.have.nested.property('error.code', 'server_error');
  });

  it('an invalid request without fields has the message as the fault of its body', () => {
    const error = { code: 'validation_failed', message: 'Said.', fields: null, retryAfterSeconds: null };
    expect(answerOfError(error).body).to.deep.equal(invalid({ body: ['Said.'] }));
  });

  it('only 401 and 403 refuse a caller', () => {
    const codes = ['invalid_app_key', 'session_expired', 'package_mismatch', 'app_not_approved'];
    for (const code of codes) expect(isRefusedCaller(code), code).to.equal(true);
    for (const code of ['placement_not_found', 'rate_limited', 'server_error', 'unavailable'])
      expect(isRefusedCaller(code), code).to.equal(false);
  });
});

describe('small rules of the gateway', () => {
  it('an optional text that is null or empty is absent', () => {
    expect([presentText(null), presentText(''), presentText(undefined)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(presentText('en')).to.equal('en');
  });

  it('limits from 3,000 a minute are leased in steps of half a percent, smaller ones one by one', () => {
    expect([1, 2_999, 3_000, 3_199, 60_000].map(leaseSize)).to.deep.equal([1, 1, 15, 15, 300]);
  });

  it('a missing Content-Type does not count as JSON, and a charset may only have paired quotes', () => {
    expect(contentTypeFault(undefined)).to.contain('Content-Type');
    expect(contentTypeFault('application/json; charset = "UTF-8"')).to.equal(null);
    expect(contentTypeFault('application/json; charset="utf-8')).to.equal('must be in UTF-8');
    expect(contentTypeFault('application/json; charset')).to.equal('must be in UTF-8');
  });

  for (const [keyword, limit, said] of [
    ['minLength', 1, 'must not be empty'],
    ['minimum', 3, 'must be at least 3'],
    ['maximum', 9, 'must be at most 9'],
    ['multipleOf', 2, 'is not valid'],
  ] as const) {
    it(`a field that breaks ${keyword} has a fault in words`, () => {
      const fault = { keyword, instancePath: '/width', params: { limit } };
      expect(fieldFaults([fault])).to.deep.equal({ width: [said] });
    });
  }
});
