import { SELECTION_STEPS } from '@placard/service-kit/pure';

/** Most campaigns that are named as those that outbid one. */
const RIVALS_MAX = 10;
const SAMPLED_DIGITS = 4;
/** The largest share that leaves a request out. */
const SAMPLED_MAX = 0.9999;

/** What became of a campaign's requests in one hour. */
export interface FunnelHour {
  /** Whole hours since 1970. */
  readonly hour: bigint;
  readonly losses: readonly {
    readonly step: string;
    /** The campaign that outbid it. Empty: another step, or a campaign that is not named. */
    readonly rival: string;
    /** The live requests for which the judged ones stand. */
    readonly requests: bigint;
    /** The number of judged requests. */
    readonly samples: bigint;
  }[];
  readonly fills: bigint;
  readonly impressions: bigint;
  readonly clicks: bigint;
}

/** What became of the live requests for which a campaign was a candidate. */
export interface Funnel {
  /** The share of the campaign's lost requests that were judged, 0 to 1. Null: none was. */
  readonly sampled: number | null;
  /** Every step in the order of selection. */
  readonly steps: readonly { readonly step: string; readonly lost: number }[];
  /** Lost requests and fills. */
  readonly candidates: number;
  readonly fills: number;
  readonly impressions: number;
  readonly clicks: number;
  /** The campaigns that outbid it most often. */
  readonly outbidBy: readonly { readonly campaign: string; readonly count: number }[];
}

/** Adds up the hours of a campaign. Contract: docs/contract/explanations.md#funnel. */
export function toFunnel(hours: readonly FunnelHour[]): Funnel {
  const losses = hours.flatMap((hour) => hour.losses);
  const lostAt = sumBy(losses, ({ step }) => step);
  const rivals = sumBy(
    losses.filter(({ rival }) => rival !== ''),
    ({ rival }) => rival,
  );
  const lost = sum(losses, ({ requests }) => requests);
  const judged = sum(losses, ({ samples }) => samples);
  const fills = sum(hours, (hour) => hour.fills);
  // A step of a newer release comes last.
  const steps = new Set<string>([...SELECTION_STEPS, ...lostAt.keys()]);
  return {
    sampled: lost === 0 ? null : shareOf(judged, lost),
    steps: [...steps].map((step) => ({ step, lost: lostAt.get(step) ?? 0 })),
    candidates: lost + fills,
    fills,
    impressions: sum(hours, (hour) => hour.impressions),
    clicks: sum(hours, (hour) => hour.clicks),
    outbidBy: [...rivals]
      .map(([campaign, count]) => ({ campaign, count }))
      .sort((a, b) => b.count - a.count || (a.campaign < b.campaign ? -1 : 1))
      .slice(0, RIVALS_MAX),
  };
}

type Loss = FunnelHour['losses'][number];

function sumBy(losses: readonly Loss[], keyOf: (loss: Loss) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const loss of losses) sums.set(keyOf(loss), (sums.get(keyOf(loss)) ?? 0) + Number(loss.requests));
  return sums;
}

function sum<Item>(items: readonly Item[], countOf: (item: Item) => bigint): number {
  return Number(items.reduce((total, item) => total + countOf(item), 0n));
}

/** The judged share of lost requests. Only all of them are 1. */
function shareOf(judged: number, lost: number): number {
  return judged >= lost ? 1 : Math.min(SAMPLED_MAX, Number((judged / lost).toPrecision(SAMPLED_DIGITS)));
}
