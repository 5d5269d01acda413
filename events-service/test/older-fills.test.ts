import {
  MINUTE_MS,
  minuteOf,
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { LEASE_GRACE_MS } from '../src/budgets/domain/lease.js';
import { makeCloseLeases } from '../src/budgets/usecase/close-leases.js';
import { AD_TTL_MS, faultsOf, openBed, openStores, send, type Bed, type Instance } from './support/bed.js';

const COST = 1_000_000n;
const ADVERTISER = 'adv_northwind';
const CAMPAIGN = 'cmp_spring';

describe('fills that a release without leases reports', () => {
  let bed: Bed;
  let instance: Instance;
  beforeEach(async () => {
    bed = await openBed();
    instance = bed.instance();
  });
  afterEach(async () => {
    expect(await faultsOf(bed.pool)).to.deep.equal({});
    await bed.drop();
  });

  /** Three fills of that minute. */
  const report = (minute: number, sequence: bigint) =>
    openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'older', sequence },
      requests: [],
      traffic: [],
      losses: [],
      fills: [
        {
          minute,
          publisherId: asPublisherId('pub_sunrise'),
          appId: asAppId('app_sunrise_puzzle'),
          placement: asPlacementCode('home_banner'),
          format: 'banner',
          country: 'DE',
          advertiserId: asAdvertiserId(ADVERTISER),
          campaignId: asCampaignId(CAMPAIGN),
          creativeId: asCreativeId('cr_spring_banner'),
          count: 3n,
          reservedNanos: 3n * COST,
          expiresAtMs: (minute + 1) * MINUTE_MS + AD_TTL_MS,
        },
      ],
    });
  /** Moves the clock to the end of this minute's leases and closes them. */
  const closeAll = async (): Promise<void> => {
    bed.clock.advance(MINUTE_MS + AD_TTL_MS + LEASE_GRACE_MS + 1);
    await makeCloseLeases({
      leases: openStores(bed.pool).leases,
      clock: bed.clock,
      onClosed: () => undefined,
    })();
  };
  /** Whether a transaction waits for an advisory lock. */
  const isWaiting = async (): Promise<boolean> =>
    (await bed.pool.query(`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'`)).rowCount !== 0;
  const sums = async (): Promise<unknown> =>
    (await bed.pool.query('SELECT open_nanos AS open, closed_nanos AS closed FROM budget.campaign')).rows[0];

  it('are held, and are headroom again when their leases are closed', async () => {
    const claims = bed.fill({ costNanos: COST, leaseRun: '' });
    await report(minuteOf(claims.filledAtMs), 1n);
    expect(await sums()).to.deep.equal({ open: 3n * COST, closed: 0n });
    expect(await send(instance, 'impression', claims)).to.equal('accepted');
    await closeAll();
    expect(await sums()).to.deep.equal({ open: 0n, closed: COST });
  });

  it('pay for an impression whose insert does not see the report and ends after it', async () => {
    const claims = bed.fill({ costNanos: COST, leaseRun: '' });
    const minute = minuteOf(claims.filledAtMs);
    await report(minute, 1n);
    expect(await send(instance, 'impression', claims)).to.equal('accepted');
    const insert = await bed.pool.connect();
    try {
      await insert.query('BEGIN');
      // An events-service of that release stores an impression without a look at the lease.
      await insert.query(
        `INSERT INTO events.event
         SELECT (jsonb_populate_record(event, jsonb_build_object('request_id', 'req_older', 'fill_minute', $1::int8))).*
         FROM events.event`,
        [minute + 1],
      );
      const reported = report(minute + 1, 2n).then(() => true);
      let hasMet = false;
      while (!hasMet) hasMet = (await isWaiting()) || (await Promise.race([reported, sleep(5, false)]));
      await insert.query('COMMIT');
      await reported;
    } finally {
      insert.release();
    }
    const lease = 'SELECT accepted_nanos AS accepted FROM budget.lease WHERE minute = $1';
    expect((await bed.pool.query(lease, [minute + 1])).rows).to.deep.equal([{ accepted: COST }]);
  });

  it('hold nothing when their lease is closed already', async () => {
    const minute = minuteOf(bed.clock.now());
    await report(minute, 1n);
    await closeAll();
    await report(minute, 2n);
    expect(await sums()).to.deep.equal({ open: 0n, closed: 0n });
  });
});
