import type { Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import type { Pool } from '@placard/service-kit/postgres';
import { asAdvertiserId, MINUTE_MS } from '@placard/service-kit/pure';
import { Gauge } from 'prom-client';
import { makePgTransferStore } from '../accounts/store/transfers.pg.js';
import type { Explanations } from '../explain/clients/explanations.js';
import type { FetchReport } from '../reports/clients/reports.js';
import { CONCERN_KINDS } from './domain/concern.js';
import { openDelivery } from './clients/delivery.js';
import { makeFetchLosses } from './clients/losses.js';
import { readActiveSince } from './store/active-since.pg.js';
import { makePgConcernStore } from './store/concerns.pg.js';
import { makeFindConcerns, type HealthCatalog } from './usecase/find-concerns.js';
import { makeGetHealth, type GetHealth } from './usecase/get-health.js';
import { makeWatchConcerns } from './usecase/watch-concerns.js';

const WATCH_MS = 5 * MINUTE_MS;

/** What the health of delivery is opened with. */
export interface HealthOptions {
  readonly pool: Pool;
  readonly readCatalog: () => HealthCatalog;
  /** Address of events-service. */
  readonly eventsAddress: string;
  readonly fetchReport: FetchReport;
  readonly explanations: Explanations;
  /** New notices may wait. */
  readonly onNotices: () => void;
}

/** Opens the health of delivery: looks for concerns every five minutes until the scope closes. */
export function openHealth(
  scope: Scope,
  { pool, readCatalog, eventsAddress, fetchReport, explanations, onNotices }: HealthOptions,
): GetHealth {
  const { clock } = scope;
  const concerns = makePgConcernStore(pool);
  const transfers = makePgTransferStore(pool);
  const findConcerns = makeFindConcerns({
    delivery: openDelivery(scope, eventsAddress, fetchReport),
    fetchLosses: makeFetchLosses(explanations),
    readCatalog,
    readActiveSince: (ids) => readActiveSince(pool, ids),
    readRefunds: async () => {
      const refunds = (await transfers.readSums()).filter(({ kind }) => kind === 'advertiser');
      return new Map(refunds.map(({ id, nanos }) => [asAdvertiserId(id), nanos]));
    },
    clock,
  });
  const registers = [scope.metrics];
  const open = new Gauge({
    name: 'placard_delivery_concerns',
    help: 'Open concerns about delivery by kind, as they were last found',
    labelNames: ['kind'] as const,
    registers,
  });
  const foundAt = new Gauge({
    name: 'placard_delivery_concerns_found_timestamp_seconds',
    help: 'When concerns about delivery were last looked for; 0 before the first time',
    registers,
  });
  const watchConcerns = makeWatchConcerns({
    findConcerns,
    concerns,
    clock,
    onOpen: (kinds) => {
      for (const kind of CONCERN_KINDS) {
        open.set({ kind }, kinds.filter((one) => one === kind).length);
      }
      foundAt.setToCurrentTime();
    },
    onNotices,
  });
  keepRunning(scope, {
    name: 'looking for concerns about delivery',
    intervalMs: WATCH_MS,
    run: watchConcerns,
  });
  return makeGetHealth({ findConcerns, concerns });
}
