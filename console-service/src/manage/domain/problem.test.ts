import { expect } from 'chai';
import { statusOf, toProblem } from './problem.js';

describe('problem details', () => {
  it('have the text of their status, and the faults only when there are some', () => {
    const parts = { status: 422, code: 'invalid_argument', detail: 'The body is refused.' } as const;
    const problem = {
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: 'The body is refused.',
      code: 'invalid_argument',
      request_id: 'r1',
    };
    expect(toProblem(parts, 'r1')).to.deep.equal(problem);
    const errors = [{ field: 'amount', value: 'x', detail: 'must be a decimal' }];
    expect(toProblem({ ...parts, errors }, 'r1')).to.deep.equal({ ...problem, errors });
  });

  it('blame the request for a refusal, and the product for everything else', () => {
    const statuses = [
      'invalid_argument',
      'not_found',
      'conflict',
      'permission_denied',
      'unavailable',
      'x',
    ].map(statusOf);
    expect(statuses).to.deep.equal([422, 404, 409, 403, 503, 500]);
  });
});
