import { expect } from 'chai';
import { costsOf } from './process-cost.js';

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('the cost of a process', () => {
  it('grows with the work that it does', () => {
    const before = costsOf({ me: process.pid });
    const until = performance.now() + 120;
    let sum = 0;
    while (performance.now() < until) sum += Math.sqrt(sum + 1);
    const after = costsOf({ me: process.pid });
    const ownSeconds = (after['me']?.cpuSeconds ?? 0) - (before['me']?.cpuSeconds ?? 0);
    expect(ownSeconds).to.be.above(0);
    const { user, system } = process.cpuUsage();
    expect(after['me']?.cpuSeconds).to.be.at.least((user + system) / 1e6 - 1);
    expect(after['me']?.pssBytes).to.be.above(1_000_000);
  });

  it('is left out when the process does not exist', () => {
    expect(costsOf({ nobody: 4_194_304 })).to.deep.equal({});
  });
});
