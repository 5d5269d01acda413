import { appError } from '@placard/service-kit';
import { MINUTE_MS } from '@placard/service-kit/pure';
import { makeTestScope, makeTestTimers, settle } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { Verification } from './clients/ledger.js';
import { openFundsCheck } from './open-funds-check.js';
import type { VerifyBooksRequest } from './usecase/verify-books.js';

const CHECK = 'deposits and adjustments equal the accounts’ funds';
const of = (ok: boolean): Verification => ({
  ok,
  checks: [{ name: CHECK, ok, detail: 'figures' }],
  waiting: null,
});

/** A console-service whose verifications give these answers in their order. */
async function setUp(answers: readonly (Verification | Error)[]) {
  const timers = makeTestTimers();
  const scope = makeTestScope({ timers });
  const requests: VerifyBooksRequest[] = [];
  openFundsCheck(scope, (request) => {
    const answer = answers[requests.length] ?? of(true);
    requests.push(request);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  const lines = async (): Promise<readonly string[]> => (await scope.metrics.metrics()).split('\n');
  await settle();
  return { timers, requests, lines };
}

describe('the repeated comparison of the funds', () => {
  const stamp = async (lines: () => Promise<readonly string[]>): Promise<number> => {
    const name = 'placard_ledger_checked_timestamp_seconds{part="funds"} ';
    const line = (await lines()).find((each) => each.startsWith(name));
    return Number(line?.slice(name.length));
  };

  it('runs at the start and at least every five minutes, without a wait, for the funds alone', async () => {
    const { timers, requests } = await setUp([]);
    expect(requests).to.deep.equal([{ isWaiting: false, isGivenOnly: true }]);
    await timers.advance(5 * MINUTE_MS);
    expect(requests).to.have.length(2);
  });

  it('shows its result as a metric: 0 while the funds differ from the ledger, and 1 again afterwards', async () => {
    const { timers, lines } = await setUp([of(false), of(true)]);
    expect(await lines()).to.include(`placard_ledger_check_ok{check="${CHECK}"} 0`);
    await timers.advance(5 * MINUTE_MS);
    expect(await lines()).to.include(`placard_ledger_check_ok{check="${CHECK}"} 1`);
  });

  it('shows when it was last done, so that an alert finds one that fails', async () => {
    const { timers, lines } = await setUp([appError('unavailable', 'events-service cannot be reached.')]);
    expect(await stamp(lines)).to.equal(0);
    const beforeS = Date.now() / 1_000;
    await timers.advance(5 * MINUTE_MS);
    expect(await stamp(lines)).to.be.within(beforeS, beforeS + 60);
  });
});
