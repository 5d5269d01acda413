import { appError } from '@placard/service-kit';
import { asAdvertiserId } from '@placard/service-kit/pure';
import { makeTestClock, makeTestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { Deposit } from '../domain/deposit-rules.js';
import { bookInOrder, bookTogether, makeBookUnbooked } from './book-unbooked.js';

function setUp(count: number) {
  const waiting = new Map<string, Deposit>();
  for (let index = 0; index < count; index += 1) {
    const reference = `INV-${index}`;
    waiting.set(reference, { reference, advertiserId: asAdvertiserId('adv_a'), amountNanos: 1n });
  }
  const booked: string[] = [];
  /** What `record` stores itself. */
  const dropped = new Set<string>();
  const refusals = new Map<string, 'conflict' | 'failed_precondition' | 'unavailable'>();
  const bookUnbooked = makeBookUnbooked<Deposit>({
    what: 'deposit',
    readUnbooked: (countMax) => Promise.resolve([...waiting.values()].slice(0, countMax)),
    markBooked: (references) => {
      for (const reference of references) waiting.delete(reference);
      return Promise.resolve();
    },
    record: ({ reference }) => {
      const code = refusals.get(reference);
      if (code !== undefined) return Promise.reject(appError(code, 'no'));
      if (dropped.has(reference)) {
        waiting.delete(reference);
        return Promise.resolve(false);
      }
      booked.push(reference);
      return Promise.resolve(true);
    },
    atOnceMax: 8,
    clock: makeTestClock(0),
    log: makeTestScope().log,
  });
  return { waiting, booked, dropped, refusals, bookUnbooked };
}

describe('booking in the ledger', () => {
  it('books all waiting entries, however many', async () => {
    const { waiting, booked, bookUnbooked } = setUp(450);
    expect(await bookUnbooked()).to.equal(true);
    expect(waiting.size).to.equal(0);
    expect(new Set(booked).size).to.equal(450);
  });

  it('goes on after an entry that the ledger does not take', async () => {
    const { waiting, booked, dropped, bookUnbooked } = setUp(3);
    dropped.add('INV-1');
    expect(await bookUnbooked()).to.equal(true);
    expect(waiting.size).to.equal(0);
    expect(booked).to.deep.equal(['INV-0', 'INV-2']);
  });

  const outages = [
    ['events-service is away, or has no port for writing yet', 'unavailable'],
    ['events-service has a port for writing that this release does not know', 'failed_precondition'],
  ] as const;
  for (const [when, code] of outages) {
    it(`stops while ${when}, keeps the booked entries, and goes on later`, async () => {
      const { waiting, refusals, bookUnbooked } = setUp(20);
      refusals.set('INV-10', code);
      expect(await bookUnbooked()).to.equal(false);
      expect(waiting.has('INV-0')).to.equal(false);
      expect(waiting.has('INV-10')).to.equal(true);
      refusals.clear();
      expect(await bookUnbooked()).to.equal(true);
      expect(waiting.size).to.equal(0);
    });
  }

  it('is not blocked by a deposit that conflicts with the ledger', async () => {
    const { waiting, refusals, bookUnbooked } = setUp(3);
    refusals.set('INV-1', 'conflict');
    expect(await bookUnbooked()).to.equal(true);
    expect([...waiting.keys()]).to.deep.equal(['INV-1']);
  });

  it('is not held up by more refused deposits than one round holds, nor asks for them again', async () => {
    const { waiting, booked, refusals, bookUnbooked } = setUp(251);
    for (let index = 0; index < 250; index += 1) refusals.set(`INV-${index}`, 'conflict');
    expect(await bookUnbooked()).to.equal(true);
    expect(booked).to.deep.equal(['INV-250']);
    expect(waiting.size).to.equal(250);
    refusals.clear();
    expect(await bookUnbooked()).to.equal(true);
    expect(booked, 'a person has to decide').to.deep.equal(['INV-250']);
  });

  it('is complete for several kinds only when it is complete for each', async () => {
    const done = (isDone: boolean) => () => Promise.resolve(isDone);
    expect(await bookTogether([done(true), done(true)])()).to.equal(true);
    expect(await bookTogether([done(true), done(false)])()).to.equal(false);
  });

  it('begins with a kind only when the kinds before it are complete, where the order counts', async () => {
    const begun: string[] = [];
    const part = (name: string, isDone: boolean) => () => {
      begun.push(name);
      return Promise.resolve(isDone);
    };
    expect(await bookInOrder([part('a', true), part('b', false), part('c', true)])()).to.equal(false);
    expect(begun).to.deep.equal(['a', 'b']);
    expect(await bookInOrder([part('d', true)])()).to.equal(true);
  });
});
