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
  readonly onFailure: () => void;
}

/** Makes a {@link SettlementTrigger} that adds at most one job at a time. */
export function makeSettlementTrigger({ send, gapMs, onFailure }: SettlementTriggerDeps): SettlementTrigger {
  let isInGap = false;
  let isWanted = false;

  const endGap = (): void => {
    isInGap = false;
    if (isWanted) trigger();
  };
  const trigger = (): void => {
    isWanted = isInGap;
    if (isInGap) return;
    isInGap = true;
    void send()
      .catch(onFailure)
      .finally(() => setTimeout(endGap, gapMs));
  };
  return { trigger };
}
