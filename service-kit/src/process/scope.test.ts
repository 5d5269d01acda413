import { expect } from 'chai';
import type { Scope } from './scope.js';
import { makeTestScope } from '../testing/index.js';

describe('an object that a process has once', () => {
  it('is made once per process, and again in another process', async () => {
    const [one, other] = [makeTestScope(), makeTestScope()];
    const made: Scope[] = [];
    const make = (scope: Scope) => ({ number: made.push(scope) });
    expect(one.once(make)).to.equal(one.once(make));
    expect(other.once(make)).to.deep.equal({ number: 2 });
    expect(made).to.deep.equal([one, other]);
    await one.close();
    await other.close();
  });
});
