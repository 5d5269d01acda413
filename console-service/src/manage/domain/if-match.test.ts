import { expect } from 'chai';
import { readIfMatch } from './if-match.js';

const CHANGE = {
  parameters: [{ name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } }],
} as const;

describe('If-Match', () => {
  const problemOf = (given: string | undefined): unknown => {
    const reading = readIfMatch(CHANGE, given);
    return 'problem' in reading ? reading.problem : null;
  };

  it('has the version of an ETag', () => {
    expect(readIfMatch(CHANGE, '"12"')).to.deep.equal({ version: 12 });
  });

  it('is read only where the document has it', () => {
    expect(readIfMatch({ parameters: [] }, 'x')).to.deep.equal({ version: null });
  });

  it('is required where the document has it', () => {
    expect(problemOf(undefined)).to.include({ status: 428, code: 'precondition_required' });
  });

  it('is refused with its value when it is no ETag of this API', () => {
    for (const value of ['12', '"0"', '"x"', '*', '', 'W/"12"', '"1", "2"', `"${'9'.repeat(16)}"`]) {
      const problem = problemOf(value);
      expect(problem, value).to.include({ status: 422 });
      expect(problem, value).to.have.nested.property('errors[0].value', value);
    }
  });
});
