import type { Timers } from '@placard/service-kit';
import { makeSingleFlight } from '@placard/service-kit/background';

/** Starts a run of the settlement in the worker. */
export interface SettlementTrigger {
  /** Never waits and never fails. The sweep finds events whose job was lost. */
  trigger(): void;
}

/** What a {@link SettlementTrigger} needs. */
export interface SettlementTriggerDeps {
  /** Adds a job; may fail. */
  readonly send: () => Promise<void>;
  /** Least time between two jobs, milliseconds. A run settles all waiting events, so more jobs are useless. */
  readonly gapMs: number;
  readonly timers: Timers;
  readonly onFailure: () => void;
}

/** Makes a {@link SettlementTrigger} that adds at most one job at a time. */
export function makeSettlementTrigger(deps: SettlementTriggerDeps): SettlementTrigger {
  const { send, gapMs, timers, onFailure } = deps;
  const job = makeSingleFlight(async () => {
    await send().catch(onFailure);
    await new Promise<void>((resolve) => void timers.after(gapMs, resolve));
  });
  return { trigger: () => void job.run() };
}
