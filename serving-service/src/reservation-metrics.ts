import type { Scope } from '@placard/service-kit';
import { Counter, Gauge } from 'prom-client';
import type { Holding, Holdings } from './domain/holdings.js';
import type { Overspend } from './domain/overspend.js';
import type { Watched } from './usecase/watch-reservations.js';

/** What becomes of reservations, as numbers. Campaigns are named for the few that hold most; the rest is `other`. */
export interface ReservationMetrics {
  readonly onMemoryLost: () => void;
  onWatched(watched: Watched): void;
  /** All that is known to be overspent. */
  onOverspends(overspends: readonly Overspend[]): void;
}

const NANOS_PER_UNIT = 1e9;
/** Overspent limits that are shown by themselves. */
const OVERSPENDS_MAX = 200;
const OTHER = 'other';

/** Registers them. */
export function makeReservationMetrics(scope: Scope): ReservationMetrics {
  const registers = [scope.metrics];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `placard_serving_${name}`, help, labelNames, registers });
  const counter = (name: string, help: string) =>
    new Counter({ name: `placard_serving_${name}`, help, registers });
  const losses = counter('memory_losses_total', 'Shards that were found to have lost memory in Redis');
  const found = counter(
    'found_reservations_total',
    'Held in Redis beyond the reported fills, currency units',
  );
  const raised = counter('raised_reservations_total', 'Held in Redis less than was reported, currency units');
  const held = gauge('held_money', 'Reserved and not known as shown, currency units', ['campaign']);
  const open = gauge('open_reservations', 'Reservations whose fate is not known', ['campaign']);
  const overdue = gauge('overdue_campaign_minutes', 'Campaign-minutes that should be closed by now');
  const overspent = gauge('overspend', 'Accepted beyond a limit, currency units', ['limit', 'id']);
  const show = (campaign: string, { heldNanos, openCount }: Holding): void => {
    held.set({ campaign }, toUnits(heldNanos));
    open.set({ campaign }, openCount);
  };
  const showAll = ({ byCampaign, others, overdueCount }: Holdings): void => {
    held.reset();
    open.reset();
    for (const [id, holding] of byCampaign) show(id, holding);
    show(OTHER, others);
    overdue.set(overdueCount);
  };
  return {
    onMemoryLost: () => losses.inc(),
    onWatched({ holdings, foundNanos, raisedNanos }) {
      showAll(holdings);
      found.inc(toUnits(foundNanos));
      raised.inc(toUnits(raisedNanos));
    },
    onOverspends(overspends) {
      overspent.reset();
      const sorted = [...overspends].sort((a, b) => Number(b.overNanos - a.overNanos));
      for (const { limit, id, overNanos } of sorted.slice(0, OVERSPENDS_MAX)) {
        overspent.set({ limit, id }, toUnits(overNanos));
      }
      const rest = sorted.slice(OVERSPENDS_MAX).reduce((sum, { overNanos }) => sum + overNanos, 0n);
      overspent.set({ limit: OTHER, id: OTHER }, toUnits(rest));
    },
  };
}

function toUnits(nanos: bigint): number {
  return Number(nanos) / NANOS_PER_UNIT;
}
