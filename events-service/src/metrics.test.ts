import { asAppId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { makeServiceMetrics, makeSettlementMetrics } from './metrics.js';

describe('the metrics of events-service', () => {
  it('show each receiver of background items from 0 on, so that the first loss is an increase', async () => {
    const registry = new Registry();
    const metrics = makeServiceMetrics(registry);
    const values = async (): Promise<Record<string, number>> => {
      const metric = await registry.getSingleMetric('placard_events_background_dropped_total')?.get();
      return Object.fromEntries(
        metric?.values.map(({ labels, value }) => [String(labels['receiver']), value]) ?? [],
      );
    };
    expect(await values()).to.deep.equal({
      'serving-service': 0,
      budgets: 0,
      'fraud-service': 0,
      reports: 0,
    });
    metrics.dropped('reports', 2);
    expect(await values()).to.deep.equal({
      'serving-service': 0,
      budgets: 0,
      'fraud-service': 0,
      reports: 2,
    });
  });

  it('count events by verdict, fallbacks by reason, sizes of groups and lost wake-ups, and show what waits', async () => {
    const registry = new Registry();
    const metrics = makeServiceMetrics(registry);
    metrics.accepted('impression');
    metrics.accepted('impression');
    metrics.rejected('click', 'duplicate');
    metrics.fallback('no_fill');
    metrics.groupSize(7);
    metrics.groupSize(3);
    metrics.triggerFailed();
    let waiting = 4;
    metrics.waiting('event', () => waiting);
    metrics.waiting('fallback', () => 2);
    expect(await linesOf(registry)).to.include.members([
      'placard_events_total{event="impression",verdict="accepted"} 2',
      'placard_events_total{event="click",verdict="duplicate"} 1',
      'placard_fallbacks_total{reason="no_fill"} 1',
      'placard_events_group_size_sum 10',
      'placard_events_group_size_count 2',
      'placard_events_wake_failed_total 1',
      'placard_events_waiting{kind="event"} 4',
      'placard_events_waiting{kind="fallback"} 2',
    ]);
    waiting = 0;
    expect(await linesOf(registry)).to.include('placard_events_waiting{kind="event"} 0');
  });
});

describe('the metrics of the settlement worker', () => {
  it('tell events from impressions and from those booked before, and count in seconds', async () => {
    const registry = new Registry();
    const metrics = makeSettlementMetrics(registry);
    metrics.settled({ rows: 5, impressions: 3, lagMs: 1_500 });
    metrics.settled({ rows: 2, impressions: 0, lagMs: 500 });
    metrics.bookedBefore(4);
    metrics.stuck();
    for (let run = 0; run < 3; run += 1) metrics.failed();
    metrics.outbox(6, 2_500);
    metrics.heldDays(9);
    expect(await linesOf(registry)).to.include.members([
      'placard_settlement_events_total 7',
      'placard_settlement_impressions_total 3',
      'placard_settlement_booked_before_total 4',
      'placard_settlement_stuck_total 1',
      'placard_settlement_failed_total 3',
      'placard_settlement_lag_seconds_sum 2',
      'placard_settlement_lag_seconds_count 2',
      'placard_outbox_events 6',
      'placard_outbox_oldest_seconds 2.5',
      'placard_events_held_days 9',
    ]);
  });

  it('show the books: their sum, what is overdrawn, each check as 1 or 0, and when they were checked', async () => {
    const registry = new Registry();
    const metrics = makeSettlementMetrics(registry);
    metrics.ledgerTotals({ sumNanos: -3n, overdrawnNanos: 12n });
    const before = Date.now() / 1_000;
    metrics.ledgerChecks('sums', [
      { name: 'a', ok: true },
      { name: 'b', ok: false },
    ]);
    const lines = await linesOf(registry);
    expect(lines).to.include.members([
      'placard_ledger_sum_nanos -3',
      'placard_ledger_overdrawn_nanos 12',
      'placard_ledger_check_ok{check="a"} 1',
      'placard_ledger_check_ok{check="b"} 0',
    ]);
    expect(lines).to.include('placard_ledger_checked_timestamp_seconds{part="rows"} 0');
    const checked = lines.find((line) =>
      line.startsWith('placard_ledger_checked_timestamp_seconds{part="sums"} '),
    );
    expect(Number(checked?.split(' ')[1])).to.be.within(before, before + 5);
  });

  it('show fills and impressions of the apps of the last look, and of no other', async () => {
    const registry = new Registry();
    const metrics = makeSettlementMetrics(registry);
    metrics.shows([{ app: asAppId('app_a'), fills: 9n, impressions: 4n }]);
    metrics.shows([{ app: asAppId('app_b'), fills: 7n, impressions: 2n }]);
    expect((await linesOf(registry)).filter((line) => line.startsWith('placard_recent_'))).to.deep.equal([
      'placard_recent_fills{app="app_b"} 7',
      'placard_recent_impressions{app="app_b"} 2',
    ]);
  });
});

async function linesOf(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split('\n');
}
