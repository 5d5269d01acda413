import { asAdvertiserId, asOwnerId, asPublisherId } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { AccountSum } from '../../src/verification/domain/verification.js';
import { makeRecordDeposit } from '../../src/ledger/usecase/record-deposit.js';
import { makeVerifyLedger } from '../../src/verification/usecase/verify-ledger.js';
import { balancesOf, faultsOf, openBed, openStores, send, type Bed, type Instance } from '../support/bed.js';
import { PLANTED_FAULTS, tamper } from '../support/planted-faults.js';

describe('ledger', () => {
  let bed: Bed;
  let service: Instance;
  beforeEach(async () => {
    bed = await openBed();
    service = bed.instance();
  });
  afterEach(() => bed.drop());

  const deposit = (amountNanos: bigint, reference: string, advertiserId = 'adv_northwind') =>
    makeRecordDeposit(
      openStores(bed.pool).ledger,
      bed.clock,
    )({
      advertiserId: asAdvertiserId(advertiserId),
      amountNanos,
      reference,
    });
  const verify = async (funds: readonly AccountSum[] | null = []) =>
    openStores(bed.pool).verification.verify(funds === null ? null : { funds, transfers: [] });
  const faults = (funds: readonly AccountSum[] | null = []) => faultsOf(bed.pool, funds);
  const fundOf = (id: string, nanos: bigint, kind: AccountSum['kind'] = 'advertiser') => ({
    kind,
    id: asOwnerId(id),
    nanos,
  });
  const funds = [fundOf('adv_northwind', 500_000_000_000n)];
  const settleSome = async () => {
    await deposit(500_000_000_000n, 'opening:adv_northwind');
    const fills = [bed.fill(), bed.fill(), bed.fill()];
    for (const claims of fills) await send(service, 'impression', claims);
    await bed.settle();
    return fills;
  };
  it('a deposit is booked once per reference, also when it arrives many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => deposit(250n, 'INV-7')));
    expect(answers.filter(Boolean)).to.have.length(1);
    expect(await balancesOf(bed.pool)).to.include({
      'advertiser adv_northwind': 250n,
      'deposits deposits': -250n,
    });
  });

  it('a reference that is already booked with another amount or advertiser is a conflict and changes nothing', async () => {
    await deposit(250n, 'INV-7');
    expect(await codeOf(deposit(251n, 'INV-7'))).to.equal('conflict');
    expect(await codeOf(deposit(250n, 'INV-7', 'adv_other'))).to.equal('conflict');
    expect(await balancesOf(bed.pool)).to.include({
      'advertiser adv_northwind': 250n,
      'deposits deposits': -250n,
    });
  });

  it('a deposit that is not above zero or lacks a name is refused and leaves its reference free', async () => {
    for (const wrong of [
      deposit(0n, 'A'),
      deposit(-1n, 'A'),
      deposit(1n, ''),
      deposit(1n, 'A', ''),
      deposit(1n, 'A\0'),
    ]) {
      expect(await codeOf(wrong)).to.equal('invalid_argument');
    }
    expect(await deposit(1n, 'A')).to.equal(true);
  });

  it('balances list every account, also at zero, in the order of kind and id', async () => {
    await deposit(5n, 'A', 'adv_b');
    const named = {
      advertiserIds: ['adv_c', 'adv_b', 'adv_a'].map(asAdvertiserId),
      publisherIds: [asPublisherId('pub_a')],
    };
    expect(await openStores(bed.pool).ledger.balances(named)).to.deep.equal([
      { kind: 'advertiser', id: 'adv_a', balanceNanos: 0n },
      { kind: 'advertiser', id: 'adv_b', balanceNanos: 5n },
      { kind: 'advertiser', id: 'adv_c', balanceNanos: 0n },
      { kind: 'publisher', id: 'pub_a', balanceNanos: 0n },
      { kind: 'platform', id: 'platform', balanceNanos: 0n },
      { kind: 'deposits', id: 'deposits', balanceNanos: -5n },
      { kind: 'payouts', id: 'payouts', balanceNanos: 0n },
    ]);
  });

  it('correct books pass every check, with and without waiting events', async () => {
    expect((await verify()).map((check) => check.ok)).to.not.include(false);
    await settleSome();
    expect(await faults(funds)).to.deep.equal({});
    await send(service, 'impression', bed.fill());
    expect(await faults(funds)).to.deep.equal({});
    const accepted = (await verify(funds)).find((check) => check.name === 'accepted = settled + waiting');
    expect(accepted?.detail).to.equal('4 (0.010000000) = 3 (0.007500000) + 1 (0.002500000)');
  });

  it('checks of correct books name the compared figures, also when there is only one of a kind', async () => {
    await deposit(5n, 'A', 'adv_b');
    expect((await verify(null)).map(({ detail }) => detail)).to.deep.equal([
      'accounts: 2; sum 0.000000000',
      'days: 1, entries: 2',
      '0 (0.000000000) = 0 (0.000000000) + 0 (0.000000000)',
      'advertisers: 1; paid in 0.000000005, refunded 0.000000000, adjusted by 0.000000000, charged 0.000000000',
      'accounts: 2',
      'spend 0.000000000, revenue 0.000000000',
      'advertisers: 0; spent 0.000000000',
      'campaigns: 0; open 0.000000000; closed 0.000000000',
      'spent 0.000000000',
      'statements: 0, months: 0',
      'last number: 0',
    ]);
  });

  describe('the verification finds and names', () => {
    for (const { what, statement, check, names } of PLANTED_FAULTS) {
      it(`${what}: ${check}`, async () => {
        const [claims] = await settleSome();
        const id = claims!.requestId;
        await tamper(bed.pool, statement.replaceAll('$id', `'${id}'`));
        const found = await faults(funds);
        expect(Object.keys(found)).to.include(check);
        expect(found[check]).to.contain(names.replace('$id', id));
      });
    }

    it('funds that differ from the booked deposits', async () => {
      await settleSome();
      const check = 'deposits and adjustments equal the accounts’ funds';
      expect((await faults([fundOf('adv_northwind', 1n)]))[check]).to.contain('adv_northwind');
      expect((await faults([...funds, fundOf('adv_b', 1n)]))[check]).to.contain('adv_b');
      expect((await faults([...funds, fundOf('pub_b', -1n, 'publisher')]))[check]).to.contain('pub_b');
      expect((await faults([]))[check]).to.contain('adv_northwind');
      expect(await faults(null)).to.deep.equal({});
    });
  });

  it('waits until nothing is left to settle and the counters have been flushed', async () => {
    await send(service, 'impression', bed.fill());
    const { verification, settlement } = openStores(bed.pool);
    let flushes = 0;
    let slept = 0;
    const startedAtMs = bed.clock.now();
    const verifyLedger = makeVerifyLedger({
      books: verification,
      settlement,
      clock: bed.clock,
      sleep: async (ms) => {
        slept += 1;
        bed.clock.advance(ms);
        if (slept === 20) await bed.settle();
      },
      flush: () => Promise.resolve(void (flushes += 1)),
    });
    const { checks, waiting } = await verifyLedger({
      waitMsMax: 60_000,
      given: { funds: [], transfers: [] },
      isGivenOnly: false,
      deadlineAtMs: startedAtMs + 65_000,
    });
    expect(waiting).to.equal(null);
    expect(checks.find((check) => check.name.startsWith('accepted'))?.detail).to.contain('+ 0 (');
    expect(flushes).to.equal(1);
    expect(bed.clock.now() - startedAtMs).to.be.within(4_000, 4_400);
  });

  it('waits at most as long as allowed, and returns the backlog', async () => {
    await send(service, 'impression', bed.fill());
    const { verification, settlement } = openStores(bed.pool);
    const startedAtMs = bed.clock.now();
    const verifyLedger = makeVerifyLedger({
      books: verification,
      settlement,
      clock: bed.clock,
      sleep: (ms) => {
        bed.clock.advance(ms * 50);
        return Promise.resolve();
      },
      flush: () => Promise.resolve(),
    });
    const { checks, waiting } = await verifyLedger({
      waitMsMax: 60_000,
      given: { funds: [], transfers: [] },
      isGivenOnly: false,
      deadlineAtMs: startedAtMs + 600_000,
    });
    expect(checks.every((check) => check.ok)).to.equal(true);
    expect(waiting).to.deep.equal({ waiting: 1, oldestAtMs: startedAtMs });
    expect(bed.clock.now() - startedAtMs).to.equal(60_000);
  });
});
