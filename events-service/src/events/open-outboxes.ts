import type { Scope } from '@placard/service-kit';
import { openOutbox, type Outbox, type OutboxOptions } from '@placard/service-kit/background';
import { SECOND_MS } from '@placard/service-kit/pure';
import type { LeaseKey } from '../budgets/domain/lease.js';
import type { LeaseStore } from '../budgets/store/leases.js';
import type { FraudClient, SuspiciousEvent } from './clients/fraud.js';
import type { FillOutcome, ServingClient } from './clients/serving.js';

type Bounds = Pick<OutboxOptions<unknown>, 'itemsMax' | 'groupMax' | 'gapMs' | 'retryMsMin' | 'retryMsMax'>;

/**
 * Nothing waits for outcomes, so they are gathered for a moment. The outbox covers an outage of serving-service of 20 seconds
 * at 1,000 impressions a second.
 */
const OUTCOMES: Bounds = { itemsMax: 20_000, groupMax: 1_000, gapMs: 100, retryMsMin: 500, retryMsMax: 500 };
const SUSPICIOUS: Bounds = {
  itemsMax: 10_000,
  groupMax: 1_000,
  gapMs: SECOND_MS,
  retryMsMin: 2 * SECOND_MS,
  retryMsMax: 2 * SECOND_MS,
};
const RELEASES: Bounds = {
  itemsMax: 10_000,
  groupMax: 500,
  gapMs: 0,
  retryMsMin: SECOND_MS,
  retryMsMax: SECOND_MS,
};

/** The outboxes of events-service. */
export interface Outboxes {
  /** Outcomes of fills for the frequency caps of serving-service, ten times a second. */
  readonly outcomes: Outbox<FillOutcome>;
  /** Entries of fraud-service's suspicious-event log, each second. */
  readonly suspicious: Outbox<SuspiciousEvent>;
  /** Leases whose money of suspicious impressions is returned. Dropped ones return it when the lease is closed. */
  readonly releases: Outbox<LeaseKey>;
}

/** Dependencies of {@link openOutboxes}. */
export interface OutboxesDeps {
  readonly serving: ServingClient;
  readonly fraud: Pick<FraudClient, 'recordSuspicious'>;
  readonly leases: Pick<LeaseStore, 'releaseSuspicious'>;
  readonly onDropped: (receiver: 'serving-service' | 'fraud-service' | 'budgets', items: number) => void;
}

/** Opens {@link Outboxes}. They send until the scope closes. */
export function openOutboxes(scope: Scope, deps: OutboxesDeps): Outboxes {
  const { serving, fraud, leases, onDropped } = deps;
  return {
    outcomes: openOutbox(scope, {
      ...OUTCOMES,
      name: 'sending outcomes',
      send: (outcomes) => serving.commit(outcomes),
      onDropped: (items) => onDropped('serving-service', items),
    }),
    suspicious: openOutbox(scope, {
      ...SUSPICIOUS,
      name: 'reporting suspicious events',
      send: (events) => fraud.recordSuspicious(events),
      onDropped: (items) => onDropped('fraud-service', items),
    }),
    releases: openOutbox(scope, {
      ...RELEASES,
      name: 'releasing suspicious impressions',
      send: (keys) => leases.releaseSuspicious(keys),
      onDropped: (items) => onDropped('budgets', items),
    }),
  };
}
