/** Requests of one hour that a campaign lost at one step. */
export interface StepLoss {
  /** Hours since 1970. */
  readonly hour: number;
  /** A step of the contract, or of a newer release. */
  readonly step: string;
  /** The campaign that outbid it. Empty: another step, or a campaign that is not named. */
  readonly rival: string;
  /** The live requests for which the looked-at ones stand. */
  readonly requests: bigint;
  /** The number of looked-at requests. */
  readonly samples: bigint;
}

/** What a campaign delivered in one hour, as in the report. */
export interface HourDelivery {
  readonly hour: number;
  readonly fills: bigint;
  readonly impressions: bigint;
  readonly clicks: bigint;
}

/** One hour of a campaign. */
export interface FunnelHour extends HourDelivery {
  readonly losses: readonly StepLoss[];
}

/** Joins losses and deliveries by hour, in the order of the hours. */
export function joinFunnel(
  losses: readonly StepLoss[],
  deliveries: readonly HourDelivery[],
): readonly FunnelHour[] {
  const lossesOf = new Map<number, StepLoss[]>();
  for (const loss of losses) {
    const ofHour = lossesOf.get(loss.hour);
    if (ofHour === undefined) lossesOf.set(loss.hour, [loss]);
    else ofHour.push(loss);
  }
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.hour, delivery]));
  const hours = new Set([...lossesOf.keys(), ...deliveryOf.keys()]);
  return [...hours]
    .sort((a, b) => a - b)
    .map((hour) => ({
      ...(deliveryOf.get(hour) ?? { hour, fills: 0n, impressions: 0n, clicks: 0n }),
      losses: lossesOf.get(hour) ?? [],
    }));
}
