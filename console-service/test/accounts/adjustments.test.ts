import { AccountKind } from '@placard/protos/events/v1/events.js';
import { accountKindOnWire } from '@placard/service-kit/wire';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { EXAMPLE } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';

describe('adjustments and statements', () => {
  let instance: TestConsole;
  beforeEach(async () => {
    instance = await openTestConsole();
    await instance.client.applyCatalog({ file: EXAMPLE, prune: false, onlyIfEmpty: false });
  });
  afterEach(() => instance.close());

  const adjust = (
    amount: string,
    reference: string,
    account = 'advertiser:adv_northwind',
    reason = 'Ticket 4',
  ) => instance.client.adjust({ account, amount, reference, reason });
  const balanceOf = async (id: string): Promise<bigint | null | undefined> =>
    (await instance.client.getBalances()).accounts.find((account) => account.id === id)?.balanceNanos;

  it('change an advertiser’s funds at the readers and in the ledger, up or down', async () => {
    const watch = instance.watch(2);
    for (const [amount, reference, fundedNanos] of [
      ['-100.5', 'T-1', 399_500_000_000n],
      ['0.000000001', 'T-2', 399_500_000_001n],
    ] as const) {
      expect(await adjust(amount, reference)).to.deep.equal({ isNew: true });
      const event = await watch.next();
      expect(event.$case === 'changes' && event.value.upserts[0]?.object?.value).to.include({ fundedNanos });
      expect(await balanceOf('adv_northwind')).to.equal(fundedNanos);
    }
    expect(instance.events.adjusted.get('T-1')).to.deep.equal({
      kind: AccountKind.ADVERTISER,
      accountId: 'adv_northwind',
      amountNanos: -100_500_000_000n,
      reference: 'T-1',
      reason: 'Ticket 4',
    });
  });

  it('may lower a balance below zero', async () => {
    await adjust('-600', 'T-1');
    expect(await balanceOf('adv_northwind')).to.equal(-100_000_000_000n);
  });

  describe('that are not confirmed', () => {
    const REFUSED = 'The adjustment leaves publisher:pub_sunrise with -30.000000000 USD.';
    const unconfirmed = (amount: string, reference: string) =>
      instance.client
        .adjust({ account: 'pub_sunrise', amount, reference, reason: 'Ticket 4', confirm: false })
        .then(
          () => 'accepted',
          (error: unknown) => String(error),
        );
    const sixTimes = (amount: string) =>
      Promise.all(Array.from({ length: 6 }, (_, index) => unconfirmed(amount, `T-${index}`)));
    beforeEach(() => adjust('50', 'T-0-50', 'pub_sunrise'));

    it('leave no balance below zero, also when several are made at once', async () => {
      const answers = await sixTimes('-40');
      expect(answers.filter((answer) => answer === 'accepted')).to.have.length(1);
      for (const answer of answers.filter((each) => each !== 'accepted')) expect(answer).to.contain(REFUSED);
      expect(await balanceOf('pub_sunrise')).to.equal(10_000_000_000n);
    });

    it('are accepted at once as long as all of them leave something', async () => {
      expect(await sixTimes('-8')).to.deep.equal(Array.from({ length: 6 }, () => 'accepted'));
      expect(await balanceOf('pub_sunrise')).to.equal(2_000_000_000n);
    });

    it('are refused while the ledger does not show the balance', async () => {
      instance.events.isUp = false;
      expect(await unconfirmed('-1', 'T-1')).to.contain(
        'The balance of publisher:pub_sunrise cannot be read now.',
      );
      expect(await unconfirmed('1', 'T-1')).to.equal('accepted');
    });

    it('are found again under their reference, whatever the balance is by then', async () => {
      expect(await unconfirmed('-40', 'T-1')).to.equal('accepted');
      expect(await unconfirmed('-40', 'T-1')).to.equal('accepted');
      expect(await balanceOf('pub_sunrise')).to.equal(10_000_000_000n);
    });
  });

  it('of a publisher are booked and verified, and change no advertiser’s funds', async () => {
    await adjust('12.25', 'T-1', 'publisher:pub_sunrise');
    expect(await balanceOf('pub_sunrise')).to.equal(12_250_000_000n);
    expect((await instance.client.verifyBooks({ wait: false })).ok).to.equal(true);
    expect(instance.events.verifications).to.deep.equal([
      {
        wait: false,
        funds: [{ advertiserId: 'adv_northwind', fundedNanos: 500_000_000_000n }],
        publishers: [{ publisherId: 'pub_sunrise', adjustedNanos: 12_250_000_000n }],
      },
    ]);
  });

  it('change the account that they name, where an advertiser and a publisher have the same id', async () => {
    const file =
      'advertisers: [{ id: twin, name: A, balance: 5 }]\npublishers: [{ id: twin, name: P, revenue_share: 1 }]';
    await instance.client.applyCatalog({ file, prune: false, onlyIfEmpty: false });
    await adjust('7', 'T-1', 'publisher:twin');
    await adjust('1', 'T-2', 'advertiser:twin');
    const watch = instance.watch(0);
    let fundedNanos = 5_000_000_000n;
    while (fundedNanos === 5_000_000_000n) {
      const event = await watch.next();
      for (const { object } of event.$case === 'changes' ? event.value.upserts : [])
        if (object?.$case === 'advertiser' && object.value.id === 'twin') ({ fundedNanos } = object.value);
    }
    expect(fundedNanos).to.equal(6_000_000_000n);
  });

  it('are made once per reference, also by many simultaneous calls', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => adjust('-1', 'T-1')));
    expect(answers.filter(({ isNew }) => isNew)).to.have.length(1);
    expect(await balanceOf('adv_northwind')).to.equal(499_000_000_000n);
  });

  it('conflict when the same reference has another amount, account or reason', async () => {
    await adjust('-1', 'T-1');
    expect(await codeOf(adjust('1', 'T-1'))).to.equal('conflict');
    expect(await codeOf(adjust('-1', 'T-1', 'publisher:pub_sunrise'))).to.equal('conflict');
    expect(await codeOf(adjust('-1', 'T-1', undefined, 'Ticket 5'))).to.equal('conflict');
  });

  it('may have the same reference as a deposit', async () => {
    await instance.client.deposit({ advertiserId: 'adv_northwind', amount: '1', reference: 'T-1' });
    expect(await adjust('-1', 'T-1')).to.deep.equal({ isNew: true });
    expect(await balanceOf('adv_northwind')).to.equal(500_000_000_000n);
  });

  it('leave their reference free when they are refused', async () => {
    for (const amount of ['0', '-0.0', '1.0000000001', 'ten', '', '1e3', '1000000000.01', '-1000000000.01']) {
      expect(await codeOf(adjust(amount, 'T-1')), amount).to.equal('invalid_argument');
    }
    for (const account of ['adv_x', 'advertiser:', 'advertiser:adv_x', 'platform', 'app:app_x', '']) {
      expect(await codeOf(adjust('1', 'T-1', account)), account).to.equal('invalid_argument');
    }
    for (const reason of ['', ' ', 'a\nb', 'x'.repeat(501)])
      expect(await codeOf(adjust('1', 'T-1', undefined, reason)), reason).to.equal('invalid_argument');
    for (const reference of ['', ' T-1', 'T-1 ', 'T-1\n', 'opening:adv_northwind'])
      expect(await codeOf(adjust('1', reference)), reference).to.equal('invalid_argument');
    expect(await adjust('1', 'T-1')).to.deep.equal({ isNew: true });
  });

  it('at the limit of the installation are refused, and the way to take a deposit back is named', async () => {
    for (let count = 1; count <= 8; count += 1)
      await instance.client.deposit({
        advertiserId: 'adv_northwind',
        amount: '1000000000',
        reference: `D-${count}`,
      });
    const refusal = (account: string, amount: string): Promise<string> =>
      adjust(amount, 'T-1', account).then(String, String);
    const limit = 'more than the books can hold';
    expect(await refusal('adv_northwind', '-1000000000')).to.contain(
      `${limit}. Take a wrong deposit back with`,
    );
    expect(await refusal('adv_northwind', '-1000000000')).to.contain('`advertiser refund`');
    for (const [account, amount] of [
      ['adv_northwind', '1000000000'],
      ['pub_sunrise', '-1000000000'],
    ] as const)
      expect(await refusal(account, amount), account).to.match(/can hold\.$/);
  });

  it('reach the account of an advertiser that was removed', async () => {
    await instance.client.applyCatalog({ file: 'advertisers: []', prune: true, onlyIfEmpty: false });
    expect(await adjust('-500', 'T-1')).to.deep.equal({ isNew: true });
  });

  it('are made while the ledger is away, and booked when it is back', async () => {
    instance.events.isUp = false;
    expect(await adjust('-1', 'T-1')).to.deep.equal({ isNew: true });
    instance.events.isUp = true;
    expect(await balanceOf('adv_northwind')).to.equal(499_000_000_000n);
  });

  it('are read as statements by month, by any name of one account', async () => {
    for (const [account, kind, accountId] of [
      ['advertiser:adv_northwind', AccountKind.ADVERTISER, 'adv_northwind'],
      ['adv_northwind', AccountKind.ADVERTISER, 'adv_northwind'],
      ['pub_sunrise', AccountKind.PUBLISHER, 'pub_sunrise'],
      ['platform', AccountKind.PLATFORM, 'platform'],
      ['deposits', AccountKind.DEPOSITS, 'deposits'],
    ] as const) {
      const answer = await instance.client.getStatement({ account, month: '2024-02' });
      expect(answer.account).to.deep.equal({ kind: accountKindOnWire.fromWire(kind), id: accountId });
      const [fromDay, toDay] = [19_754n, 19_783n];
      expect(instance.events.statements.at(-1)).to.deep.equal({ kind, accountId, fromDay, toDay });
    }
  });

  it('are refused as a statement when account or month is unknown or ambiguous', async () => {
    await instance.client.applyCatalog({
      file: 'advertisers: [{ id: twin, name: A }]\npublishers: [{ id: twin, name: P, revenue_share: 1 }]',
      prune: false,
      onlyIfEmpty: false,
    });
    const statement = (account: string, month = '2026-11') =>
      instance.client.getStatement({ account, month });
    for (const account of ['adv_x', 'publisher:adv_northwind', 'twin', 'app:x', ''])
      expect(await codeOf(statement(account)), account).to.equal('invalid_argument');
    for (const month of ['2026-13', '2026-00', '2026', '2026-1', 'November', '1969-12', ''])
      expect(await codeOf(statement('platform', month)), month).to.equal('invalid_argument');
    expect((await statement('publisher:twin')).account.kind).to.equal('publisher');
  });

  it('are checked from the rows, and a piece is repeated when its connection is closed', async () => {
    instance.events.pieces = [
      'unavailable',
      'unavailable',
      { checks: [], next: 'b', day: '2026-11-01', daysLeft: 1 },
    ];
    expect(await instance.client.verifyBookRows({ after: 'a' })).to.include({
      next: 'b',
      days_left: 1,
    });
    expect(instance.events.piecesAsked).to.deep.equal(['a', 'a', 'a']);
  });
});
