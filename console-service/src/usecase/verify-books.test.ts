import { AppError, appError } from '@placard/service-kit';
import { expect } from 'chai';
import type { Verification } from '../clients/ledger.js';
import { makeVerifyBooks } from './verify-books.js';

const GOOD: Verification = { ok: true, checks: [] };
const BAD: Verification = { ok: false, checks: [{ name: 'deposits', ok: false, detail: '' }] };

/** A ledger that answers one after the other; `funds` changes with each look where `isBusy`. */
function setUp(answers: readonly (Verification | AppError)[], isBusy: boolean) {
  let calls = 0;
  let looks = 0n;
  const verifyBooks = makeVerifyBooks(
    {
      readFunds: () =>
        Promise.resolve([{ kind: 'advertiser', id: 'adv_a', nanos: isBusy ? (looks += 1n) : 1n }]),
    },
    {
      verify: () => {
        const answer = answers[calls] ?? GOOD;
        calls += 1;
        return answer instanceof AppError ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    () => Promise.resolve(true),
  );
  return { verifyBooks, callCount: () => calls };
}

describe('verifying the books', () => {
  it('believes a bad answer when no deposit was made meanwhile', async () => {
    const { verifyBooks, callCount } = setUp([BAD], false);
    expect(await verifyBooks({ isWaiting: false })).to.equal(BAD);
    expect(callCount()).to.equal(1);
  });

  it('looks again when a deposit was made meanwhile, a bounded number of times', async () => {
    expect(await setUp([BAD, GOOD], true).verifyBooks({ isWaiting: false })).to.equal(GOOD);
    const { verifyBooks, callCount } = setUp([BAD, BAD, BAD, BAD], true);
    expect(await verifyBooks({ isWaiting: false })).to.equal(BAD);
    expect(callCount()).to.equal(3);
  });

  it('outlives a connection that ends while events-service waits', async () => {
    const broken = appError('unavailable', 'gone');
    expect(await setUp([broken, GOOD], false).verifyBooks({ isWaiting: true })).to.equal(GOOD);
    const error = await setUp([broken, broken, broken], false)
      .verifyBooks({ isWaiting: true })
      .catch((thrown: unknown) => thrown);
    expect(error).to.equal(broken);
  });
});
