import { expect } from 'chai';
import { keepProbing } from './keep-probing.js';
import { makeTestScope, makeTestTimers, settle, type TestScope, type TestTimers } from '../testing/index.js';

describe('a probe', () => {
  let timers: TestTimers;
  let scope: TestScope;
  beforeEach(() => {
    timers = makeTestTimers();
    scope = makeTestScope({ timers });
  });

  it('checks a hanging store once, however often it should look, and again after its answer', async () => {
    const answers: (() => void)[] = [];
    const check = (): Promise<void> => new Promise((resolve) => answers.push(resolve));
    const probe = keepProbing(scope, { name: 'store', optional: false, check });
    await timers.advance(5_000);
    for (let time = 0; time < 3; time += 1) probe.lookNow();
    expect(answers).to.have.length(1);
    expect(scope.health.isReady()).to.equal(false);
    answers[0]!();
    await settle();
    expect(scope.health.isReady()).to.equal(true);
    expect(answers).to.have.length(2);
    const closing = scope.close();
    answers[1]!();
    await closing;
    probe.lookNow();
    await timers.advance(5_000);
    expect(answers).to.have.length(2);
  });

  it('shows the fault as the check describes it, and its end within a second', async () => {
    let fault: string | null = 'it takes no writes';
    const check = (): Promise<void> =>
      fault === null ? Promise.resolve() : Promise.reject(new Error(fault));
    keepProbing(scope, { name: 'store', optional: false, check });
    await settle();
    expect(scope.health.components()).to.deep.equal({ store: { ok: false, detail: 'it takes no writes' } });
    fault = null;
    await timers.advance(1_000);
    expect(scope.health.components()).to.deep.equal({ store: { ok: true, detail: null } });
    await scope.close();
  });
});
