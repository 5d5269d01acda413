import type { SelectionStep } from '@placard/service-kit/pure';

/** Every kind of concern about delivery. The list is closed, so that counts by kind are bounded. */
export const CONCERN_KINDS = [
  /** The day of a campaign will probably end with less than nine tenths of its daily budget spent. */
  'behind',
  /** An advertiser's balance ends within three days. */
  'low_balance',
  /** A campaign's total budget ends within three days. */
  'budget_ending',
  /** Fewer than three in ten fills were shown. */
  'not_shown',
  /** Something that is meant to deliver waits for an approval. */
  'not_approved',
  /** A placement or an app has less than three tenths of its usual requests. */
  'traffic_collapsed',
] as const;
/** A kind of concern. */
export type ConcernKind = (typeof CONCERN_KINDS)[number];

/** The kind of catalog object that a concern is about. */
export type SubjectKind = 'publisher' | 'app' | 'placement' | 'advertiser' | 'campaign';

/**
 * Why a campaign is behind or something is not approved. The words are those of the steps of selection, and two more:
 * `not_shown` (fills are not shown) and `reach` (nothing of the campaign's own stops it, and no lost request is known).
 */
export type ConcernReason =
  Exclude<SelectionStep, 'status' | 'schedule' | 'budget_daily' | 'pacing'> | 'not_shown' | 'reach';

/** The figures of a concern. Null: the figure does not belong to its kind. Amounts are nano-units. */
export interface ConcernFigures {
  /** The daily budget, or what is left of the total budget for the day when that is less. */
  readonly budgetNanos: bigint | null;
  /** What the plan of the day has by now. */
  readonly planNanos: bigint | null;
  /** What the day has spent by now; open ads count with the share that is likely to be shown. */
  readonly deliveredNanos: bigint | null;
  /** The likely spend at the end of the UTC day. */
  readonly projectedNanos: bigint | null;
  /** What is left of a balance or a total budget. */
  readonly leftNanos: bigint | null;
  /** Days until nothing is left, at the spend of the last 24 hours; null without spend. */
  readonly daysLeft: number | null;
  /** Of the last 24 whole hours. */
  readonly fills: number | null;
  readonly impressions: number | null;
  /** Of the last two whole hours, and the mean of the same hours of the days before. */
  readonly requests: number | null;
  readonly usualRequests: number | null;
}

/** Something about delivery that an operator should look at. Kind and subject identify it. */
export interface Concern {
  readonly kind: ConcernKind;
  readonly subjectKind: SubjectKind;
  /** The id; for a placement `<app id>/<code>`. */
  readonly subjectId: string;
  /** Null: the kind says it all. */
  readonly reason: ConcernReason | null;
  readonly figures: ConcernFigures;
}

/** The figures of a concern without any. */
export const NO_FIGURES: ConcernFigures = {
  budgetNanos: null,
  planNanos: null,
  deliveredNanos: null,
  projectedNanos: null,
  leftNanos: null,
  daysLeft: null,
  fills: null,
  impressions: null,
  requests: null,
  usualRequests: null,
};

/** The key of a concern: the same kind about the same subject is the same concern. */
export function concernKey({ kind, subjectKind, subjectId }: Omit<Concern, 'figures' | 'reason'>): string {
  return `${kind} ${subjectKind} ${subjectId}`;
}
