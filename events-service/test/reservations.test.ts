import { minuteOf, type ImpressionClaims } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { openReservationStore } from '../src/store/reservations.pg.js';
import type { HeldMinute } from '../src/store/reservations.js';
import { makeGetBudgetTruth } from '../src/usecase/get-budget-truth.js';
import { HELD_MINUTES_MAX, makeReportReservations } from '../src/usecase/report-reservations.js';
import { makeReportServing } from '../src/usecase/report-serving.js';
import { openBed, openStores, send, type Bed } from './bed.js';

const COST = 2_500_000n;

describe('reservations that only counters know of', () => {
  let bed: Bed;
  let fills: ImpressionClaims[];
  let sequence = 0n;

  beforeEach(async () => {
    bed = await openBed();
    fills = Array.from({ length: 6 }, () => bed.fill());
  });
  afterEach(() => bed.drop());

  const held = (reservedNanos: bigint): HeldMinute => ({
    advertiserId: 'adv_northwind',
    campaignId: 'cmp_spring',
    minute: minuteOf(fills[0]!.filledAtMs),
    reservedNanos,
    expiresAtMs: fills[0]!.expiresAtMs,
  });
  const found = async (reservedNanos: bigint) => {
    const [known] = await makeReportReservations(openReservationStore(bed.pool))([held(reservedNanos)]);
    return [known?.reportedNanos, known?.knownNanos];
  };
  const reserved = async (): Promise<bigint | undefined> => {
    const truth = await makeGetBudgetTruth(openStores(bed.pool).spend, bed.clock)('adv_northwind', []);
    return truth.openMinutes[0]?.reservedNanos;
  };
  async function report(reporterId: string, reported: readonly ImpressionClaims[]): Promise<void> {
    sequence += 1n;
    await makeReportServing(openStores(bed.pool).counts)({
      name: { reporterId, sequence },
      requests: [],
      traffic: [],
      fills: reported.map((claims) => ({
        ...{ minute: minuteOf(claims.filledAtMs), publisherId: claims.publisherId, appId: claims.appId },
        ...{ placement: claims.placement, format: claims.format, country: claims.country ?? '' },
        ...{ advertiserId: claims.advertiserId, campaignId: claims.campaignId },
        ...{ creativeId: claims.creativeId, count: 1n, reservedNanos: claims.costNanos },
        expiresAtMs: claims.expiresAtMs,
      })),
    });
  }

  it('are known when the replica that made them died without a report', async () => {
    expect(await found(4n * COST)).to.eql([0n, 0n]);
    expect(await reserved()).to.equal(4n * COST);
  });

  it('are added to what was reported, once, whatever the number of replicas that find them at once', async () => {
    await report('alive', fills.slice(0, 2));
    const answers = await Promise.all(Array.from({ length: 8 }, () => found(5n * COST)));
    expect(answers.every(([reportedNanos]) => reportedNanos === 2n * COST)).to.equal(true);
    expect(await reserved()).to.equal(5n * COST);
    expect(await found(5n * COST)).to.eql([2n * COST, 5n * COST]);
  });

  it('stay known beside the fills that follow after the counters were rebuilt', async () => {
    await report('dead', fills.slice(0, 1));
    await found(3n * COST);
    await report('next', fills.slice(3, 5));
    expect(await reserved()).to.equal(5n * COST);
  });

  it('never take anything away: counters that hold too little change nothing', async () => {
    await report('alive', fills.slice(0, 4));
    await found(6n * COST);
    expect(await found(COST)).to.eql([4n * COST, 6n * COST]);
    expect(await reserved()).to.equal(6n * COST);
  });

  it('hold too much, not too little, when the report arrives late after all, until the minute is over', async () => {
    await found(3n * COST);
    await report('late', fills.slice(0, 3));
    expect(await reserved()).to.equal(6n * COST);
    const { rows } = await bed.pool.query<{ open: boolean }>(
      `UPDATE events.fills SET expires_at = now() - interval '1 hour' RETURNING expires_at < now() AS open`,
    );
    expect(rows).to.have.length(1);
    expect(await reserved()).to.equal(undefined);
  });

  it('are less what suspicious impressions gave back, and never less than what was accepted', async () => {
    const service = bed.instance();
    await report('alive', fills.slice(0, 3));
    service.fraud.rules.set(fills[0]!.requestId, 'session_impressions_per_hour');
    for (const claims of fills.slice(0, 2)) await send(service, 'impression', claims);
    expect(await reserved()).to.equal(2n * COST);
    expect(await found(2n * COST), 'the counters gave one back').to.eql([2n * COST, 2n * COST]);
    expect(await reserved()).to.equal(2n * COST);
    await found(4n * COST);
    expect(await reserved()).to.equal(4n * COST);
  });

  it('are in no report of fills', async () => {
    await found(4n * COST);
    const { rows } = await bed.pool.query<{ count: bigint }>('SELECT count(*) FROM stats.fill_hour');
    expect(rows[0]?.count).to.equal(0n);
  });

  it('are refused in calls that are too large or name a minute twice', async () => {
    const reportReservations = makeReportReservations(openReservationStore(bed.pool));
    const codeOf = async (minutes: readonly HeldMinute[]): Promise<unknown> =>
      reportReservations(minutes).catch((error: unknown) => (error as { code: string }).code);
    expect(await codeOf([held(1n), held(2n)])).to.equal('invalid_argument');
    const many = Array.from({ length: HELD_MINUTES_MAX + 1 }, (_, n) => ({ ...held(1n), minute: n }));
    expect(await codeOf(many)).to.equal('invalid_argument');
    expect(await codeOf([])).to.eql([]);
  });
});
