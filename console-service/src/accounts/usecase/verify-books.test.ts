import { AppError, appError } from '@placard/service-kit';
import { asAdvertiserId } from '@placard/service-kit/pure';
import { makeTestClock } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { Ledger, Verification } from '../clients/ledger.js';
import { makeVerifyBooks } from './verify-books.js';

const GOOD: Verification = { ok: true, checks: [], waiting: null };
const BAD: Verification = { ok: false, checks: [{ name: 'deposits', ok: false, detail: '' }], waiting: null };
const START_MS = Date.parse('2026-11-10T12:00:00Z');

interface World {
  /** Whether money is given between all reads. */
  readonly isBusy?: boolean;
  /** How long each answer takes. */
  readonly answerMs?: number;
}

/** A ledger that gives these answers in their order. */
function setUp(answers: readonly (Verification | AppError)[], { isBusy = false, answerMs = 0 }: World = {}) {
  const clock = makeTestClock(START_MS);
  const requests: Parameters<Ledger['verify']>[0][] = [];
  let looks = 0n;
  const verifyBooks = makeVerifyBooks({
    readGiven: () =>
      Promise.resolve({
        funds: [{ kind: 'advertiser', id: asAdvertiserId('adv_a'), nanos: 1n }],
        transfers: [{ kind: 'advertiser', id: asAdvertiserId('adv_a'), nanos: isBusy ? (looks += 1n) : 1n }],
      }),
    ledger: {
      verify: (request) => {
        const answer = answers[requests.length] ?? GOOD;
        requests.push(request);
        clock.advance(answerMs);
        return answer instanceof AppError ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    bookUnbooked: () => Promise.resolve(true),
    clock,
  });
  return { verifyBooks, requests };
}

describe('verifying the books', () => {
  const broken = appError('unavailable', 'gone');

  it('reports a fault when no deposit was made meanwhile', async () => {
    const { verifyBooks, requests } = setUp([BAD]);
    expect(await verifyBooks({ isWaiting: false, isGivenOnly: false })).to.deep.equal(BAD);
    expect(requests.map(({ waitMsMax }) => waitMsMax)).to.deep.equal([0]);
  });

  it('repeats the verification when a deposit was made meanwhile, a bounded number of times', async () => {
    const isBusy = true;
    expect(
      await setUp([BAD, GOOD], { isBusy }).verifyBooks({ isWaiting: false, isGivenOnly: false }),
    ).to.deep.equal(GOOD);
    const { verifyBooks, requests } = setUp([BAD, BAD, BAD, BAD], { isBusy });
    expect(await verifyBooks({ isWaiting: false, isGivenOnly: false })).to.deep.equal(BAD);
    expect(requests.length).to.equal(3);
  });

  it('survives a connection that is closed while events-service waits', async () => {
    expect(await setUp([broken, GOOD]).verifyBooks({ isWaiting: true, isGivenOnly: false })).to.deep.equal(
      GOOD,
    );
    const error = await setUp([broken, broken, broken])
      .verifyBooks({ isWaiting: true, isGivenOnly: false })
      .catch((thrown: unknown) => thrown);
    expect(error).to.equal(broken);
  });

  it('waits a minute at most over all attempts, and all attempts share one deadline', async () => {
    const { verifyBooks, requests } = setUp([broken, broken, GOOD], { answerMs: 45_000 });
    await verifyBooks({ isWaiting: true, isGivenOnly: false });
    expect(requests.map(({ waitMsMax }) => waitMsMax)).to.deep.equal([60_000, 15_000, 0]);
    expect(new Set(requests.map(({ deadlineAtMs }) => deadlineAtMs - START_MS))).to.deep.equal(
      new Set([100_000]),
    );
  });

  it('compares the given money alone where only that is asked for, in each attempt', async () => {
    const { verifyBooks, requests } = setUp([BAD, GOOD], { isBusy: true });
    await verifyBooks({ isWaiting: false, isGivenOnly: true });
    expect(requests.map(({ isGivenOnly }) => isGivenOnly)).to.deep.equal([true, true]);
  });

  it('waits only once, and still reports the backlog', async () => {
    const waiting = { events: 12n };
    const { verifyBooks, requests } = setUp([{ ...BAD, waiting }, GOOD], { isBusy: true });
    expect(await verifyBooks({ isWaiting: true, isGivenOnly: false })).to.deep.equal({ ...GOOD, waiting });
    expect(requests.map(({ waitMsMax }) => waitMsMax)).to.deep.equal([60_000, 0]);
  });
});
