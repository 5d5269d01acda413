import { expect } from 'chai';
import {
  answerOfError,
  badGateway,
  brokenHttp,
  gatewayTimeout,
  overloaded,
  rateLimited,
  unknownPath,
  wrongMethod,
} from './answer.js';
import { isManagePath, PROBLEM_TYPE, toProblem } from './problem.js';

const ID = `req_${'0a'.repeat(16)}`;
const SERVER_ERROR = { code: 'internal', message: '', fields: null, retryAfterSeconds: null };

describe('problem details of the gateway', () => {
  it('name what is wrong, and keep the headers of the refusal', () => {
    expect(toProblem(wrongMethod(['GET', 'POST']), ID)).to.deep.equal({
      status: 405,
      outcome: 'validation_failed',
      headers: { Allow: 'GET, POST', 'Content-Type': PROBLEM_TYPE },
      body: {
        type: 'about:blank',
        title: 'Method Not Allowed',
        status: 405,
        detail: 'The method must be GET or POST.',
        code: 'invalid_argument',
        request_id: ID,
        errors: [{ field: 'method', detail: 'must be GET or POST' }],
      },
    });
    expect(toProblem(brokenHttp(), ID)).to.include({ status: 400, isLast: true });
  });

  for (const [answer, status, code, wait] of [
    [unknownPath(), 404, 'not_found', undefined],
    [rateLimited(7), 429, 'rate_limited', '7'],
    [overloaded(3), 503, 'overloaded', '3'],
    [badGateway(), 503, 'unavailable', '5'],
    [gatewayTimeout(), 504, 'deadline_exceeded', undefined],
    [answerOfError(SERVER_ERROR), 500, 'server_error', undefined],
  ] as const)
    it(`have ${status} and ${code}, and say when to repeat the request`, () => {
      const problem = toProblem(answer, ID);
      expect(problem.status).to.equal(status);
      expect(problem.body).to.include({ status, code }).and.not.to.have.property('title', '');
      expect(problem.headers?.['Retry-After']).to.equal(wait);
    });

  it('are for the management API alone', () => {
    const paths = ['/manage/v1', '/manage/v1/', '/manage/v1/keys', '/manage', '/manage/v1x', '/x/manage/v1'];
    expect(paths.map(isManagePath)).to.deep.equal([true, true, true, false, false, false]);
  });
});
