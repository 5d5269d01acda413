import { expect } from 'chai';
import { topFunctions } from './self-time.js';

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber });

describe('the self time of functions', () => {
  it('sums all callers of a function, without idle time', () => {
    const top = topFunctions(
      {
        nodes: [
          { id: 1, callFrame: frame('(idle)') },
          { id: 2, callFrame: frame('parse', 'file:///x/node_modules/ajv/lib/a.js', 9) },
          { id: 3, callFrame: frame('parse', 'file:///x/node_modules/ajv/lib/a.js', 9) },
          { id: 4, callFrame: frame('', 'file:///x/gateway/dist/app.js', 4) },
        ],
        samples: [1, 2, 3, 4, 2],
        timeDeltas: [9_000, 1_000, 1_000, 1_000, 1_000],
      },
      5,
    );
    expect(top).to.deep.equal([
      { name: 'parse', place: 'ajv/lib/a.js:10', share: 0.75, milliseconds: 3 },
      { name: '(anonymous)', place: 'gateway/dist/app.js:5', share: 0.25, milliseconds: 1 },
    ]);
  });
});
