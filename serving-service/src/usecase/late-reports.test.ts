import { expect } from 'chai';
import { makeTestClock } from '@placard/service-kit/testing';
import { LATE_QUIET_MS, QUIET_MS } from '../store/budget-store.js';
import { LATE_FOR_MS, LateReports } from './late-reports.js';

describe('how long others’ reports are waited for', () => {
  it('is longer while reports have failed a moment ago: the others’ may still be on their way', async () => {
    const clock = makeTestClock(0);
    const state = { isDown: false };
    const reports = new LateReports(
      { report: () => (state.isDown ? Promise.reject(new Error('down')) : Promise.resolve()) },
      clock,
    );
    const batch = { sequence: 1, requests: [], fills: [], traffic: [] };
    await reports.report(batch);
    expect(reports.quietMs()).to.equal(QUIET_MS);
    state.isDown = true;
    const failure: unknown = await reports.report(batch).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    state.isDown = false;
    await reports.report(batch);
    expect(reports.quietMs()).to.equal(LATE_QUIET_MS);
    clock.advance(LATE_FOR_MS);
    expect(reports.quietMs()).to.equal(QUIET_MS);
  });
});
