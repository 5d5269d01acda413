import { expect } from 'chai';
import { answerOfError } from './answer.js';
import { answerOfVerdict } from '../sdk/domain/event-answer.js';
import { fieldFaults } from '../sdk/domain/field-faults.js';

describe('errors as answers', () => {
  const cases = [
    ['invalid_app_key', 401],
    ['invalid_session', 401],
    ['session_expired', 401],
    ['package_mismatch', 403],
    ['app_not_approved', 403],
    ['placement_not_found', 404],
    ['format_mismatch', 422],
    ['validation_failed', 422],
    ['rate_limited', 429],
    ['server_error', 500],
  ] as const;
  for (const [code, status] of cases) {
    it(`${code} is ${status}`, () => {
      const answer = answerOfError({ code, message: 'Said.', fields: null, retryAfterSeconds: 7 });
      expect(answer.status).to.equal(status);
      expect(answer.body).to.have.nested.property('error.code', code);
    });
  }
  for (const code of [
    'invalid_argument',
    'not_found',
    'conflict',
    'failed_precondition',
    'unavailable',
    'deadline_exceeded',
  ]) {
    it(`the internal code ${code} becomes server_error without its text`, () => {
      const answer = answerOfError({ code, message: 'db-7 is down', fields: null, retryAfterSeconds: null });
      expect(answer.status).to.equal(500);
      expect(JSON.stringify(answer.body)).to.contain('server_error').and.not.contain('db-7');
    });
  }
  it('only validation_failed has fields', () => {
    const fields = { app_key: ['is required'] };
    const withFields = (code: string) =>
      answerOfError({ code, message: '', fields, retryAfterSeconds: null }).body;
    expect(withFields('validation_failed')).to.have.nested.property('error.fields').deep.equal(fields);
    expect(withFields('format_mismatch')).not.to.have.nested.property('error.fields');
  });
});

describe('verdicts as answers', () => {
  it('accepted is 200, with the additional fields', () => {
    expect(answerOfVerdict('accepted', { rewarded: false })).to.deep.include({
      status: 200,
      body: { status: 'accepted', rewarded: false },
    });
  });
  it('duplicate is 409, every other rejection 422', () => {
    expect(answerOfVerdict('duplicate').status).to.equal(409);
    for (const verdict of [
      'invalid_token',
      'expired_token',
      'request_mismatch',
      'no_impression',
      'suspicious',
    ] as const) {
      expect(answerOfVerdict(verdict, { rewarded: true })).to.deep.include({
        status: 422,
        body: { status: 'rejected', reason: verdict },
      });
    }
  });
});

describe('faults of fields', () => {
  const fault = (keyword: string, params: object, data: unknown = 'x', instancePath = '/a') => ({
    keyword,
    params: params as Record<string, unknown>,
    instancePath,
    data,
  });
  it('are described in words, by field', () => {
    const fields = fieldFaults([
      fault('required', { missingProperty: 'app_key' }, {}, ''),
      fault('maxLength', { limit: 32 }, 'x', '/sdk_version'),
      fault('type', { type: ['integer', 'null'] }, '1080', '/screen_width'),
      fault('type', { type: 'string' }, null, '/placement'),
      fault('enum', { allowedValues: ['android', null] }, 'ios', '/platform'),
      fault('enum', { allowedValues: ['banner', 'rewarded'] }, 'x', '/format'),
    ]);
    expect(fields).to.deep.equal({
      app_key: ['is required'],
      sdk_version: ['must have at most 32 characters'],
      screen_width: ['must be a whole number'],
      placement: ['must not be null'],
      platform: ['must be android'],
      format: ['must be one of: banner, rewarded'],
    });
  });
  it('are only the wrong type when a value has the wrong type', () => {
    expect(
      fieldFaults([fault('enum', { allowedValues: ['a'] }, 5), fault('type', { type: 'string' }, 5)]),
    ).to.deep.equal({
      a: ['must be a string'],
    });
  });
});
