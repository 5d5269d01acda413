import { AccountKind } from '@placard/protos/events/v1/events.js';
import { dayOf } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openBed, type Bed } from '../support/bed.js';
import { openRunning, type Running } from '../support/running.js';

describe('the books on the wire', () => {
  let bed: Bed;
  let running: Running;
  before(async () => {
    bed = await openBed();
  });
  after(() => bed.drop());
  beforeEach(async () => {
    running = await openRunning(bed);
  });
  afterEach(() => running.close());

  it('adjustments, statements and the check from the rows cross the wire', async () => {
    const { ledger } = await running.open();
    const [kind, accountId] = [AccountKind.PUBLISHER, 'pub_wire'];
    const adjustment = { kind, accountId, amountNanos: -7n, reference: 'T-wire', reason: 'Ticket 4' };
    expect(await ledger.recordAdjustment(adjustment)).to.deep.equal({ isNew: true });
    expect(await ledger.recordAdjustment(adjustment)).to.deep.equal({ isNew: false });
    for (const other of [AccountKind.PLATFORM, 999 as AccountKind]) {
      const refused = ledger.recordAdjustment({ ...adjustment, kind: other });
      expect(await codeOf(refused)).to.equal('invalid_argument');
    }
    const day = BigInt(dayOf(Date.now()));
    const asked = { kind, accountId, fromDay: day - 1n, toDay: day + 1n };
    const { opening, lines, closing } = await ledger.getStatement(asked);
    expect({ opening, closing }).to.deep.equal({ opening: '0.000000000', closing: '-0.000000007' });
    expect(lines.map(({ amount, reference, counterId }) => [amount, reference, counterId])).to.deep.equal([
      ['-0.000000007', 'T-wire', 'platform'],
    ]);
    for (let after = '', isLast = false; !isLast;) {
      const piece = await ledger.verifyLedgerRows({ after });
      expect(piece.checks.filter((check) => check.faultCount > 0n)).to.deep.equal([]);
      after = piece.next;
      isLast = after === '';
    }
    for (const after of ['x', '2026-13-45/0', '2026-02-30/0', '0000-01-01/1'])
      expect(await codeOf(ledger.verifyLedgerRows({ after })), after).to.equal('invalid_argument');
  });

  it('balances beyond 64 bits are listed exactly', async () => {
    const { ledger } = await running.open();
    for (const reference of ['huge-1', 'huge-2', 'huge-3']) {
      const amountNanos = 9_000_000_000_000_000_000n;
      await ledger.recordDeposit({ advertiserId: 'adv_huge', amountNanos, reference });
    }
    const { accounts, sum } = await ledger.listBalances({ advertiserIds: [], publisherIds: [] });
    const huge = accounts.find(({ id }) => id === 'adv_huge');
    expect(huge).to.include({ balance: '27000000000.000000000', balanceNanos: 2n ** 63n - 1n });
    expect(sum).to.equal('0.000000000');
  });
});
