import { AccountKind } from '@placard/protos/events/v1/events.js';
import { asOwnerId } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openLedger } from '../../src/accounts/clients/ledger.js';
import { makePgFundsBook } from '../../src/accounts/store/funds-book.pg.js';
import { makePgTransferStore } from '../../src/accounts/store/transfers.pg.js';
import { makeBookFunds } from '../../src/accounts/usecase/book-funds.js';
import { makeBookTransfer } from '../../src/accounts/usecase/book-transfer.js';
import { makeMakeTransfer, type TransferOrder } from '../../src/accounts/usecase/make-transfer.js';
import { makePgCatalogStore } from '../../src/catalog/store/catalog-store.pg.js';
import { EXAMPLE } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';

describe('payouts and refunds', () => {
  let instance: TestConsole;
  beforeEach(async () => {
    instance = await openTestConsole();
    await instance.client.applyCatalog({ file: EXAMPLE, prune: false, onlyIfEmpty: false });
  });
  afterEach(() => instance.close());

  const transfer = (order: Partial<TransferOrder> = {}) => {
    const { db, events, scope } = instance;
    const { address, writeAddress } = events;
    const transfers = makePgTransferStore(db.pool);
    const ledger = openLedger(scope, { address, writeAddress, writeKey: undefined });
    const { clock, log } = scope;
    const bookTransfer = makeBookTransfer({ transfers, ledger, clock });
    const book = makePgFundsBook(db.pool);
    const bookUnbooked = makeBookFunds({ book, transfers, bookTransfer, ledger, clock, log });
    const store = makePgCatalogStore(db.pool);
    const deps = { store, transfers, bookTransfer, bookUnbooked, clock, currency: 'EUR' };
    return makeMakeTransfer(deps)({
      kind: 'payout',
      account: 'pub_sunrise',
      amount: '5.25',
      reference: 'PAY-1',
      actor: 'a test',
      ...order,
    });
  };
  const booked = () => [...instance.events.transferred.values()].map(({ amountNanos }) => amountNanos);
  const audit = async () => {
    const { rows } = await instance.db.pool.query<{ line: string }>(
      `SELECT concat_ws(' ', actor, action, kind, object_id, after ->> 'reference', after ->> 'amount_nanos') AS line
       FROM audit.changes WHERE action NOT IN ('created', 'deposited') ORDER BY id`,
    );
    return rows.map(({ line }) => line);
  };

  it('and a closed month are in the audit once, even when several close it at the same time', async () => {
    const store = makePgTransferStore(instance.db.pool);
    const months = Array.from({ length: 9 }, (_, month) => `2026-0${month + 1}`);
    for (const month of months)
      await Promise.all(['ann', 'ben', 'cleo', 'dan'].map((closer) => store.noteClose(month, closer, 0)));
    const closed = (await audit()).map((line) => line.replace(/^\w+ closed month /, ''));
    expect(closed).to.deep.equal(months);
  });

  it('are booked once per kind and reference, by the full name of the account or its id', async () => {
    expect(await transfer()).to.deep.equal({ isNew: true });
    expect(await transfer({ account: 'publisher:pub_sunrise' })).to.deep.equal({ isNew: false });
    const refund = { kind: 'refund', account: 'adv_northwind', amount: '1' } as const;
    expect(await transfer(refund)).to.deep.equal({ isNew: true });
    expect(
      [...instance.events.transferred.values()].map(({ kind, accountId }) => [kind, accountId]),
    ).to.deep.equal([
      [AccountKind.PUBLISHER, 'pub_sunrise'],
      [AccountKind.ADVERTISER, 'adv_northwind'],
    ]);
    expect(await audit()).to.deep.equal([
      'a test paid_out publisher pub_sunrise PAY-1 5250000000',
      'a test refunded advertiser adv_northwind PAY-1 1000000000',
    ]);
    await instance.client.verifyBooks({ wait: false });
    expect(instance.events.verifiedTransfers?.accounts.map(({ amountNanos }) => amountNanos)).to.deep.equal([
      5_250_000_000n,
      1_000_000_000n,
    ]);
  });

  it('of an unknown account, amount or reference are refused, and leave nothing', async () => {
    for (const wrong of [
      { account: 'pub_x' },
      { account: 'advertiser:adv_northwind' },
      { account: 'adv_northwind' },
      { account: 'platform' },
      { amount: '0' },
      { amount: '-1' },
      { amount: '1.0000000001' },
      { amount: 'x' },
      { reference: '' },
      { reference: 'PAY\u200b1' },
    ])
      expect(await codeOf(transfer(wrong)), JSON.stringify(wrong)).to.equal('invalid_argument');
    expect(booked()).to.deep.equal([]);
    expect(await transfer()).to.deep.equal({ isNew: true });
  });

  it('with a used reference and another amount or account are a conflict', async () => {
    await transfer();
    expect(await codeOf(transfer({ amount: '5.26' }))).to.equal('conflict');
    expect(booked()).to.deep.equal([5_250_000_000n]);
  });

  it('that the ledger refuses leave their reference free, and the refusal is in the audit', async () => {
    instance.events.transferRefusal = 'The balance of publisher pub_sunrise is 1.000000000.';
    expect(await codeOf(transfer())).to.equal('failed_precondition');
    instance.events.transferRefusal = null;
    expect(await transfer({ amount: '1' })).to.deep.equal({ isNew: true });
    expect(booked()).to.deep.equal([1_000_000_000n]);
    expect(await audit()).to.deep.equal([
      'a test payout_refused publisher pub_sunrise PAY-1 5250000000',
      'a test paid_out publisher pub_sunrise PAY-1 1000000000',
    ]);
  });

  it('that are refused at one request are not booked at another one that began before', async () => {
    const transfers = makePgTransferStore(instance.db.pool);
    const account = { kind: 'publisher', id: asOwnerId('pub_sunrise') } as const;
    const order = { kind: 'payout', reference: 'PAY-2', account, amountNanos: 5n } as const;
    instance.events.isUp = false;
    await transfers.add({ transfer: order, actor: 'a test', atMs: 0 });
    let isSecondAsked = false;
    const askSecond = () => {
      isSecondAsked = true;
      return Promise.resolve(null);
    };
    let second: Promise<string | null> | undefined;
    const first = await transfers.settle(order, 0, () => {
      second = transfers.settle(order, 0, askSecond);
      return Promise.resolve('It has less.');
    });
    expect([first, await second]).to.deep.equal(['It has less.', 'It has less.']);
    const other = { ...order, amountNanos: 6n };
    expect(await transfers.settle(other, 0, askSecond)).to.match(/^another request has taken its reference/);
    expect(isSecondAsked).to.equal(false);
  });

  it('whose outcome is unknown are booked later, and asked for again they are not booked twice', async () => {
    instance.events.isUp = false;
    expect(await codeOf(transfer())).to.equal('unavailable');
    expect(await codeOf(transfer({ amount: '9' }))).to.equal('conflict');
    instance.events.isUp = true;
    await instance.client.getBalances();
    expect(booked()).to.deep.equal([5_250_000_000n]);
    expect(await transfer()).to.deep.equal({ isNew: false });
    expect(booked()).to.deep.equal([5_250_000_000n]);
    expect(await audit()).to.have.length(1);
  });

  it('are judged by a balance that has all deposits and adjustments before them', async () => {
    instance.events.isUp = false;
    const deposit = { advertiserId: 'adv_northwind', amount: '7', reference: 'INV-1' };
    await instance.client.deposit(deposit);
    await instance.client.adjust({
      account: 'pub_sunrise',
      amount: '-40',
      reference: 'TICKET-1',
      reason: 'x',
    });
    instance.events.journal.length = 0;
    instance.events.isUp = true;
    await transfer();
    expect(instance.events.journal.slice(-3)).to.deep.equal(['INV-1', 'TICKET-1', 'PAY-1']);
  });

  it('that are refused name their amounts with the currency', async () => {
    const textOf = (order: Partial<TransferOrder>) => transfer(order).then(() => '', String);
    instance.events.transferRefusal = 'The balance of publisher pub_sunrise is 1.000000000.';
    expect(await textOf({})).to.contain(
      'The payout of 5.250000000 EUR is refused: The balance of publisher pub_sunrise is 1.000000000.',
    );
    instance.events.transferRefusal = null;
    await transfer();
    expect(await textOf({ amount: '6' })).to.contain(
      'Reference PAY-1 is used already with 5.250000000 EUR for',
    );
  });

  it('asked for many times at once are booked once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => transfer()));
    expect(answers.filter(({ isNew }) => isNew)).to.have.length(1);
    expect(booked()).to.deep.equal([5_250_000_000n]);
    expect(await audit()).to.have.length(1);
  });
});
