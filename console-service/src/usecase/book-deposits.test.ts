import { appError } from '@placard/service-kit';
import { makeTestClock, makeTestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { Deposit } from '../domain/deposit-rules.js';
import { makeBookDeposits } from './book-deposits.js';

function setUp(count: number) {
  const waiting = new Map<string, Deposit>();
  for (let index = 0; index < count; index += 1) {
    const reference = `INV-${index}`;
    waiting.set(reference, { reference, advertiserId: 'adv_a', amountNanos: 1n });
  }
  const booked: string[] = [];
  const refusals = new Map<string, 'conflict' | 'unavailable'>();
  const bookDeposits = makeBookDeposits({
    book: {
      readUnbooked: (countMax) => Promise.resolve([...waiting.values()].slice(0, countMax)),
      markBooked: (references) => {
        for (const reference of references) waiting.delete(reference);
        return Promise.resolve();
      },
      readFunds: () => Promise.resolve([]),
    },
    ledger: {
      recordDeposit: ({ reference }) => {
        const code = refusals.get(reference);
        if (code !== undefined) return Promise.reject(appError(code, 'no'));
        booked.push(reference);
        return Promise.resolve();
      },
    },
    clock: makeTestClock(0),
    log: makeTestScope().log,
  });
  return { waiting, booked, refusals, bookDeposits };
}

describe('booking deposits in the ledger', () => {
  it('books all that wait, however many', async () => {
    const { waiting, booked, bookDeposits } = setUp(450);
    expect(await bookDeposits()).to.equal(true);
    expect(waiting.size).to.equal(0);
    expect(new Set(booked).size).to.equal(450);
  });

  it('stops while events-service is away, keeps what was booked, and goes on later', async () => {
    const { waiting, refusals, bookDeposits } = setUp(20);
    refusals.set('INV-10', 'unavailable');
    expect(await bookDeposits()).to.equal(false);
    expect(waiting.has('INV-0')).to.equal(false);
    expect(waiting.has('INV-10')).to.equal(true);
    refusals.clear();
    expect(await bookDeposits()).to.equal(true);
    expect(waiting.size).to.equal(0);
  });

  it('is not held up by a deposit that the ledger contradicts', async () => {
    const { waiting, refusals, bookDeposits } = setUp(3);
    refusals.set('INV-1', 'conflict');
    expect(await bookDeposits()).to.equal(true);
    expect([...waiting.keys()]).to.deep.equal(['INV-1']);
  });

  it('shares one run among calls at the same time', async () => {
    const { booked, bookDeposits } = setUp(5);
    await Promise.all([bookDeposits(), bookDeposits(), bookDeposits()]);
    expect(booked).to.have.length(5);
  });
});
