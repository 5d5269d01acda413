import { expect } from 'chai';
import { keepProbing } from './keep-probing.js';
import { makeTestScope, type TestScope } from '../testing/index.js';

describe('a probe', () => {
  let scope: TestScope;
  beforeEach(() => {
    scope = makeTestScope();
  });

  it('checks a hanging store once, however often it should look, and again after its answer', async () => {
    const answers: (() => void)[] = [];
    const check = (): Promise<void> => new Promise((resolve) => answers.push(resolve));
    const probe = keepProbing(scope, { name: 'store', optional: false, check });
    for (let time = 0; time < 3; time += 1) probe.lookNow();
    expect(answers).to.have.length(1);
    expect(scope.health.isReady()).to.equal(false);
    answers[0]!();
    while (!scope.health.isReady()) await new Promise((resolve) => setImmediate(resolve));
    probe.lookNow();
    expect(answers).to.have.length(2);
    const closing = probe.close();
    answers[1]!();
    await closing;
    probe.lookNow();
    expect(answers).to.have.length(2);
  });

  it('shows the fault as the check describes it', async () => {
    const check = (): Promise<void> => Promise.reject(new Error('it takes no writes'));
    const probe = keepProbing(scope, { name: 'store', optional: false, check });
    await probe.close();
    expect(scope.health.components()).to.deep.equal({ store: { ok: false, detail: 'it takes no writes' } });
  });
});
