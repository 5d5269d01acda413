import { expect } from 'chai';
import type { ReportRow } from '../driver/books.js';
import { Book } from './book.js';
import { compare, type LedgerFacts, type StoredEvent, type Terms } from './comparison.js';
import { toAmount } from './market.js';

const COST = 1_000_001n;
const EARNED = 700_000n;
const DAY = 20_000;

const terms: Terms = {
  campaigns: new Map([
    ['cmp_a', { advertiserId: 'adv', costNanos: COST, totalNanos: 2n * COST, dailyNanos: 2n * COST }],
  ]),
  funds: new Map([['adv', 3n * COST]]),
  apps: new Map([['app', { publisherId: 'pub', shareBp: 7_000n }]]),
};

/** A book in which these impressions were accepted. */
function bookOf(...ids: readonly string[]): Book {
  const book = new Book();
  for (const [index, requestId] of ids.entries()) {
    book.addFill({ requestId, campaignId: 'cmp_a', appId: 'app', filledAtMs: DAY * 86_400_000 + index });
    book.addOutcome('impression', requestId, 'accepted');
  }
  return book;
}

function linesOf(id: string) {
  const line = (accountKind: string, accountId: string, amountNanos: bigint) => ({
    kind: 'impression',
    transactionId: id,
    accountKind,
    accountId,
    amountNanos,
  });
  return [
    line('advertiser', 'adv', -COST),
    line('publisher', 'pub', EARNED),
    line('platform', 'platform', COST - EARNED),
  ];
}

function eventOf(requestId: string): StoredEvent {
  return { type: 'impression', requestId, campaignId: 'cmp_a', day: DAY, isSettled: true };
}

/** The facts of a product that has settled these impressions correctly. */
function factsOf(...ids: readonly string[]): LedgerFacts {
  const count = BigInt(ids.length);
  const funds = 3n * COST;
  const account = (kind: string, id: string, nanos: bigint) => ({ kind, id, balance: signed(nanos) });
  const row = { campaign: 'cmp_a', impressions: ids.length, clicks: 0, rewards: 0 };
  return {
    entries: ids.flatMap(linesOf),
    events: ids.map(eventOf),
    accounts: [
      account('advertiser', 'adv', funds - count * COST),
      account('publisher', 'pub', count * EARNED),
      account('platform', 'platform', count * (COST - EARNED)),
      account('deposits', 'deposits', -funds),
    ],
    sumNanos: 0n,
    failedChecks: [],
    held: [],
    byCampaign: [row as unknown as ReportRow],
    fallbacks: 0,
  };
}

function signed(nanos: bigint): string {
  return nanos < 0n ? `-${toAmount(-nanos)}` : toAmount(nanos);
}

const NOTHING = {
  lost: [],
  doubled: [],
  overspent: [],
  held: [],
  ledgerSumNanos: 0n,
  unexplained: [],
  unanswered: [],
};

describe('the comparison of book and ledger', () => {
  it('finds nothing when both agree', () => {
    expect(compare(bookOf('r1', 'r2'), terms, factsOf('r1', 'r2'))).to.deep.equal({
      ...NOTHING,
      settled: 2,
      limitsReached: 2,
    });
  });

  it('expects no booking of a refused impression or a test ad', () => {
    const book = bookOf('r1');
    book.addFill({ requestId: 't', campaignId: 'cmp_test', appId: 'app', filledAtMs: 0 });
    book.addOutcome('impression', 't', 'accepted');
    book.addFill({ requestId: 'e', campaignId: 'cmp_a', appId: 'app', filledAtMs: 0 });
    book.addOutcome('impression', 'e', 'expired_token');
    expect(compare(book, terms, factsOf('r1'))).to.deep.equal({ ...NOTHING, settled: 1, limitsReached: 0 });
  });

  it('reports an accepted answer without a booking as lost', () => {
    const { lost, unexplained } = compare(bookOf('r1', 'r2'), terms, factsOf('r1'));
    expect(lost).to.deep.equal(['impression r2']);
    expect(unexplained.join()).to.include('advertiser/adv').and.to.include('cmp_a has 1 impressions');
  });

  it('reports a stored row that is never settled as lost', () => {
    const facts = factsOf('r1');
    const events = [{ ...facts.events[0]!, isSettled: false }];
    expect(compare(bookOf('r1'), terms, { ...facts, events }).lost).to.deep.equal(['impression r1']);
  });

  it('reports an accepted click without a row as lost', () => {
    const book = bookOf('r1');
    book.addOutcome('click', 'r1', 'accepted');
    expect(compare(book, terms, factsOf('r1')).lost).to.deep.equal(['click r1']);
  });

  it('reports a booking without an accepted answer, and one that is charged twice, as doubled', () => {
    expect(compare(bookOf('r1'), terms, factsOf('r1', 'r2')).doubled).to.deep.equal([
      'impression r2 is booked and was never accepted',
    ]);
    const facts = factsOf('r1');
    const twice = { ...facts, entries: [...facts.entries, ...facts.entries] };
    expect(compare(bookOf('r1'), terms, twice).doubled).to.deep.equal([
      'impression r1 is charged more than once',
    ]);
  });

  it('finds one nano-unit on the wrong account', () => {
    const facts = factsOf('r1');
    const [advertiser, publisher, platform] = facts.entries;
    const entries = [
      advertiser!,
      { ...publisher!, amountNanos: EARNED + 1n },
      { ...platform!, amountNanos: COST - EARNED - 1n },
    ];
    const found = compare(bookOf('r1'), terms, { ...facts, entries });
    expect(found.unexplained).to.have.length(1);
    expect(found.unexplained[0]).to.include('impression r1 is booked as');
  });

  it('finds every exceeded limit, without any tolerance', () => {
    const ids = ['r1', 'r2', 'r3', 'r4'];
    expect(compare(bookOf(...ids), terms, factsOf(...ids)).overspent).to.deep.equal([
      { limit: 'total cmp_a', byNanos: 2n * COST },
      { limit: `day cmp_a ${DAY}`, byNanos: 2n * COST },
      { limit: 'balance adv', byNanos: COST },
    ]);
  });

  it('finds an impression too many on the day of its request, on whichever day it is settled', () => {
    const facts = factsOf('r1', 'r2', 'r3');
    const events = facts.events.map((event, index) => ({ ...event, day: index === 0 ? DAY - 1 : DAY }));
    const unlimited = { ...terms.campaigns.get('cmp_a')!, totalNanos: null };
    const found = (dailyNanos: bigint) =>
      compare(
        bookOf('r1', 'r2', 'r3'),
        { ...terms, campaigns: new Map([['cmp_a', { ...unlimited, dailyNanos }]]) },
        { ...facts, events },
      ).overspent;
    expect(found(2n * COST)).to.deep.equal([]);
    expect(found(COST)).to.deep.equal([{ limit: `day cmp_a ${DAY}`, byNanos: COST }]);
  });

  it('finds money that is not returned', () => {
    const held = [
      { campaignId: 'cmp_a', nanos: COST },
      { campaignId: 'cmp_b', nanos: 0n },
    ];
    expect(compare(bookOf('r1'), terms, { ...factsOf('r1'), held }).held).to.deep.equal([
      { campaignId: 'cmp_a', nanos: COST },
    ]);
  });

  it('finds accounts and entries that do not sum to zero', () => {
    expect(compare(bookOf(), terms, { ...factsOf(), sumNanos: 1n }).ledgerSumNanos).to.equal(1n);
    const entries = linesOf('r1').slice(0, 2);
    expect(compare(bookOf('r1'), terms, { ...factsOf('r1'), entries }).ledgerSumNanos).to.equal(
      EARNED - COST,
    );
  });

  it('includes the faults of the verification and the events without an answer', () => {
    const book = bookOf('r1');
    book.addOutcome('click', 'r1', 'unknown');
    const found = compare(book, terms, { ...factsOf('r1'), failedChecks: ['sum: wrong'] });
    expect(found.unexplained).to.deep.equal(['ledger verify --full: sum: wrong']);
    expect(found.unanswered).to.deep.equal(['click r1']);
  });
});
