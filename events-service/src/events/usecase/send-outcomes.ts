import { toAppError } from '@placard/service-kit';
import type { FraudClient, SuspiciousEvent } from '../clients/fraud.js';
import type { FillOutcome, ServingClient } from '../clients/serving.js';
import { makeOutgoing, type Outgoing, type OutgoingDeps } from '../../usecase/outgoing.js';

/** Sends outcomes and suspicious events to other services in the background. */
export interface OutcomeSender {
  /** To serving-service, ten times a second, for frequency caps. */
  readonly outcomes: Outgoing<FillOutcome>;
  /** To fraud-service's suspicious-event log, each second. */
  readonly suspicious: Outgoing<SuspiciousEvent>;
  /** Sends all waiting items, once. For the end of the process. */
  close(): Promise<void>;
}

type Receiver = 'serving-service' | 'fraud-service';

/** What {@link makeOutcomeSender} needs. */
export interface OutcomeSenderDeps {
  readonly serving: ServingClient;
  readonly fraud: Pick<FraudClient, 'recordSuspicious'>;
  readonly onDropped: (receiver: Receiver, items: number) => void;
}

/**
 * Outcomes are gathered for 100 ms, since no answer waits for them. While serving-service is away they are kept: 20 seconds
 * of them at 1,000 impressions a second.
 */
const OUTCOMES: Bounds = { itemsMax: 20_000, batchMax: 1_000, gapMs: 100, retryMs: 500 };
const SUSPICIOUS: Bounds = { itemsMax: 10_000, batchMax: 1_000, gapMs: 1_000, retryMs: 2_000 };

type Bounds = Pick<OutgoingDeps<unknown>, 'itemsMax' | 'batchMax' | 'gapMs' | 'retryMs'>;

/** Makes {@link OutcomeSender}. */
export function makeOutcomeSender({ serving, fraud, onDropped }: OutcomeSenderDeps): OutcomeSender {
  const to = <Item>(receiver: Receiver, bounds: Bounds, send: (items: readonly Item[]) => Promise<void>) =>
    makeOutgoing<Item>({
      ...bounds,
      send: async (items) => {
        try {
          await send(items);
        } catch (error) {
          // The receiver would refuse the same items again.
          if (toAppError(error).code !== 'invalid_argument') throw error;
          onDropped(receiver, items.length);
        }
      },
      onDropped: (items) => onDropped(receiver, items),
    });
  const outcomes = to<FillOutcome>('serving-service', OUTCOMES, (items) => serving.commit(items));
  const suspicious = to<SuspiciousEvent>('fraud-service', SUSPICIOUS, (items) =>
    fraud.recordSuspicious(items),
  );
  return {
    outcomes,
    suspicious,
    close: async () => {
      await Promise.all([outcomes.close(), suspicious.close()]);
    },
  };
}
