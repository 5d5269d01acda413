import { expect } from 'chai';
import { asCampaignId, HOUR_MS, MINUTE_MS, minuteOf, SECOND_MS, type Nanos } from '@placard/service-kit/pure';
import { NOON } from '../../../test/support/world.js';
import { Lease, type GrantAnswer } from './lease.js';

const ID = asCampaignId('cmp_spring');
const MINUTE = minuteOf(NOON);
const ENDS_AT = NOON + MINUTE_MS;

function answer(grantedNanos: Nanos, changes: Partial<GrantAnswer> = {}): GrantAnswer {
  return { verdict: 'granted', grantedNanos, isScarce: false, ...changes };
}

describe('a lease', () => {
  let lease: Lease;
  beforeEach(() => {
    lease = new Lease(ID, MINUTE);
  });

  const booked = () => {
    const { filledNanos, returnedNanos, isEnded } = lease.report();
    return { filledNanos, returnedNanos, isEnded };
  };

  it('begins without money, without an open want and without an end', () => {
    const { grantedNanos, leftNanos, unansweredNanos, isEnded, isHalfUsed } = lease;
    expect({ grantedNanos, leftNanos, unansweredNanos, isEnded, isHalfUsed }).to.deep.equal({
      grantedNanos: 0n,
      leftNanos: 0n,
      unansweredNanos: null,
      isEnded: false,
      isHalfUsed: false,
    });
    expect(lease.report()).to.deep.equal({
      campaignId: ID,
      minute: MINUTE,
      filledNanos: 0n,
      returnedNanos: 0n,
      isEnded: false,
    });
  });

  it('pays as long as enough is left, to the last nano-unit', () => {
    lease.noteAnswer(answer(10n), NOON);
    expect(lease.take(11n, NOON)).to.equal(false);
    expect(lease.take(4n, NOON)).to.equal(true);
    expect(lease.take(6n, NOON)).to.equal(true);
    expect(lease.take(1n, NOON)).to.equal(false);
    expect(booked()).to.deep.equal({ filledNanos: 10n, returnedNanos: 0n, isEnded: false });
  });

  it('is half used when exactly half of what was left at the last answer is left', () => {
    lease.noteAnswer(answer(4n), NOON);
    const seen = [1n, 1n].map((cost) => {
      const before = lease.isHalfUsed;
      lease.take(cost, NOON);
      return [before, lease.isHalfUsed];
    });
    expect(seen).to.deep.equal([
      [false, false],
      [false, true],
    ]);
    lease.noteAnswer(answer(4n), NOON);
    expect(lease.isHalfUsed, 'a refusal starts a slice of what is left').to.equal(false);
  });

  it('is not half used once its rest is returned or it has ended', () => {
    lease.noteAnswer(answer(4n), NOON);
    expect(lease.returnRest()).to.equal(true);
    expect(lease.isHalfUsed).to.equal(false);
    lease.noteAnswer(answer(8n), NOON);
    lease.take(4n, NOON);
    expect(lease.isHalfUsed).to.equal(true);
    lease.end();
    expect(lease.isHalfUsed).to.equal(false);
  });

  it('keeps the largest sum of its unanswered wants until an answer comes', () => {
    for (const sum of [5n, 9n, 7n]) lease.noteUnanswered(sum);
    expect(lease.unansweredNanos).to.equal(9n);
    lease.noteAnswer(answer(0n), NOON);
    expect(lease.unansweredNanos).to.equal(null);
    lease.noteUnanswered(0n);
    expect(lease.unansweredNanos, 'who asked for nothing').to.equal(null);
  });

  it('returns its rest once', () => {
    expect(lease.returnRest()).to.equal(false);
    lease.noteAnswer(answer(5n), NOON);
    lease.take(2n, NOON);
    expect(lease.returnRest()).to.equal(true);
    expect(lease.returnRest()).to.equal(false);
    expect(booked()).to.deep.equal({ filledNanos: 2n, returnedNanos: 3n, isEnded: false });
  });

  it('sells a fill again that is given back before the end, and returns one after it', () => {
    lease.noteAnswer(answer(2n), NOON);
    lease.take(1n, NOON);
    lease.take(1n, NOON);
    lease.giveBack(1n);
    expect(lease.leftNanos).to.equal(1n);
    expect(lease.take(1n, NOON)).to.equal(true);
    lease.end();
    expect(booked()).to.deep.equal({ filledNanos: 2n, returnedNanos: 0n, isEnded: true });
    lease.giveBack(1n);
    expect(booked()).to.deep.equal({ filledNanos: 1n, returnedNanos: 1n, isEnded: true });
  });

  it('returns the grant of an answer that comes after the end', () => {
    lease.end();
    expect(lease.noteAnswer(answer(3n), NOON)).to.equal(true);
    expect(lease.leftNanos).to.equal(0n);
    expect(booked()).to.deep.equal({ filledNanos: 0n, returnedNanos: 3n, isEnded: true });
  });

  it('that is forfeit with an open want returns the grant of the next answer, and of no later one', () => {
    lease.noteAnswer(answer(2n), NOON);
    lease.noteUnanswered(5n);
    expect(lease.forfeit()).to.equal(true);
    expect(lease.leftNanos).to.equal(0n);
    expect(lease.noteAnswer(answer(5n), NOON)).to.equal(true);
    expect(lease.leftNanos).to.equal(0n);
    expect(lease.noteAnswer(answer(7n), NOON)).to.equal(false);
    expect(lease.leftNanos).to.equal(2n);
  });

  it('that is forfeit without an open want keeps the grant of a later answer', () => {
    expect(lease.forfeit(), 'nothing was left').to.equal(false);
    lease.noteAnswer(answer(2n), NOON);
    expect(lease.forfeit()).to.equal(true);
    expect(lease.noteAnswer(answer(3n), NOON)).to.equal(false);
    expect(lease.leftNanos).to.equal(1n);
  });

  describe('of a minute whose lease may have been removed', () => {
    beforeEach(() => {
      lease = new Lease(ID, MINUTE, true);
    });

    it('takes in a grant as any other', () => {
      expect(lease.noteAnswer(answer(3n), NOON)).to.equal(false);
      expect(lease.leftNanos).to.equal(3n);
    });

    it('ends without a sale or a return when the first answer says that it has ended', () => {
      expect(lease.noteAnswer(answer(3n, { verdict: 'ended' }), NOON)).to.equal(false);
      expect(lease.grantedNanos).to.equal(0n);
      expect(booked()).to.deep.equal({ filledNanos: 0n, returnedNanos: 0n, isEnded: true });
    });

    it('returns its own grants when a later answer says that it has ended', () => {
      lease.noteAnswer(answer(3n), NOON);
      lease.take(1n, NOON);
      expect(lease.noteAnswer(answer(9n, { verdict: 'ended' }), NOON)).to.equal(true);
      expect(booked()).to.deep.equal({ filledNanos: 1n, returnedNanos: 2n, isEnded: true });
    });
  });

  it('that was not removed accepts the grants from before its end', () => {
    lease.noteAnswer(answer(3n, { verdict: 'ended' }), NOON);
    expect(lease.grantedNanos).to.equal(3n);
    expect(lease.isEnded).to.equal(false);
  });

  describe('is idle', () => {
    it('when less than the price of an ad is left', () => {
      lease.noteAnswer(answer(5n), NOON);
      expect([5n, 6n].map((cost) => lease.isIdle(cost, NOON + HOUR_MS))).to.deep.equal([false, true]);
    });

    it('when it is scarce and was not used for a second, in either direction of the clock', () => {
      lease.noteAnswer(answer(5n, { isScarce: true }), NOON);
      const idleAt = (...offsets: readonly number[]) => offsets.map((ms) => lease.isIdle(1n, NOON + ms));
      expect(idleAt(-1_000, -999, 0, 999, 1_000)).to.deep.equal([true, false, false, false, true]);
      lease.take(1n, NOON + 500);
      expect(idleAt(1_499, 1_500)).to.deep.equal([false, true]);
    });

    it('by the last answer that granted something', () => {
      lease.noteAnswer(answer(5n), NOON);
      lease.noteAnswer(answer(5n, { isScarce: true }), NOON);
      expect(lease.isIdle(1n, NOON + HOUR_MS)).to.equal(false);
      lease.noteAnswer(answer(6n, { isScarce: true }), NOON + SECOND_MS);
      lease.noteAnswer(answer(6n), NOON + 2 * SECOND_MS);
      expect(lease.isIdle(1n, NOON + 1_999)).to.equal(false);
      expect(lease.isIdle(1n, NOON + 2_000)).to.equal(true);
    });
  });

  describe('is over', () => {
    const overAt = (...instants: readonly number[]) => instants.map((atMs) => lease.isOver(atMs));

    it('two seconds after its minute, or a minute before it', () => {
      expect(overAt(ENDS_AT + 1_999, ENDS_AT + 2_000)).to.deep.equal([false, true]);
      expect(overAt(NOON - MINUTE_MS, NOON - MINUTE_MS - 1)).to.deep.equal([false, true]);
    });

    it('an hour after its minute, or an hour before it, with an open want', () => {
      lease.noteUnanswered(1n);
      expect(overAt(ENDS_AT + HOUR_MS - 1, ENDS_AT + HOUR_MS)).to.deep.equal([false, true]);
      expect(overAt(NOON - HOUR_MS, NOON - HOUR_MS - 1)).to.deep.equal([false, true]);
    });
  });

  it('can be removed half a minute after its minute, or a minute before it, once it has ended', () => {
    const forgettableAt = (...instants: readonly number[]) =>
      instants.map((atMs) => lease.isForgettable(atMs));
    expect(forgettableAt(ENDS_AT + HOUR_MS)).to.deep.equal([false]);
    lease.end();
    expect(forgettableAt(ENDS_AT + 29_999, ENDS_AT + 30_000)).to.deep.equal([false, true]);
    expect(forgettableAt(NOON - MINUTE_MS, NOON - MINUTE_MS - 1)).to.deep.equal([false, true]);
  });
});
