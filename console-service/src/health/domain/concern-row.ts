import { formatNanos } from '@placard/service-kit/pure';
import { isoOrNull } from '../../domain/iso-or-null.js';
import type { Concern, ConcernFigures, ConcernKind, ConcernReason, SubjectKind } from './concern.js';

/** A concern as operators and webhooks get it. Amounts are decimal texts; null: the figure does not belong to the kind. */
export interface ConcernRow {
  readonly kind: ConcernKind;
  readonly subject_kind: SubjectKind;
  /** The id; for a placement `<app id>/<code>`. */
  readonly subject: string;
  readonly reason: ConcernReason | null;
  /** ISO 8601. Null: it was found just now for the first time. */
  readonly since: string | null;
  readonly detail: string;
  readonly budget: string | null;
  readonly plan: string | null;
  readonly delivered: string | null;
  readonly projected: string | null;
  readonly left: string | null;
  /** One decimal. */
  readonly days_left: number | null;
  readonly fills: number | null;
  readonly impressions: number | null;
  readonly requests: number | null;
  readonly usual_requests: number | null;
}

/** Turns a concern into its row. `sinceMs` is epoch ms; null: it was found just now for the first time. */
export function toConcernRow(concern: Concern, sinceMs: number | null): ConcernRow {
  const { kind, subjectKind, subjectId, reason, figures } = concern;
  return {
    kind,
    subject_kind: subjectKind,
    subject: subjectId,
    reason,
    since: isoOrNull(sinceMs),
    detail: detailOf(concern),
    budget: toAmount(figures.budgetNanos),
    plan: toAmount(figures.planNanos),
    delivered: toAmount(figures.deliveredNanos),
    projected: toAmount(figures.projectedNanos),
    left: toAmount(figures.leftNanos),
    days_left: figures.daysLeft === null ? null : Math.round(figures.daysLeft * 10) / 10,
    fills: figures.fills,
    impressions: figures.impressions,
    requests: figures.requests,
    usual_requests: figures.usualRequests,
  };
}

function toAmount(nanos: bigint | null): string | null {
  return nanos === null ? null : formatNanos(nanos);
}

const REASONS: Readonly<Record<ConcernReason, string>> = {
  approval: 'its advertiser is not approved',
  creative: 'it has no approved creative',
  balance: 'the balance of its advertiser is below the price of one impression',
  budget_total: 'less than one impression of its total budget is left',
  format: 'most requests are for other formats, or its banners do not fit the screens',
  app: 'most requests come from apps that it does not target, or from apps that are switched off',
  category: 'most requests come from other categories of apps',
  country: 'most requests come from other countries',
  language: 'most requests have other languages',
  android_version: 'most requests come from other Android versions',
  cap: 'most matching requests are over a frequency cap',
  outbid: 'other campaigns with the same or a higher bid take most matching requests',
  not_shown: 'most of its fills are not shown',
  reach: 'nothing of its own stops it, and no lost request is known',
};

/** One sentence for people. */
function detailOf({ kind, subjectKind, reason, figures }: Concern): string {
  switch (kind) {
    case 'behind':
      return `${behindText(figures)}: ${REASONS[reason ?? 'reach']}.`;
    case 'low_balance':
      return `The balance ${endText(figures)}.`;
    case 'budget_ending':
      return `The total budget ${endText(figures)}.`;
    case 'not_shown':
      return `Of ${figures.fills ?? 0} fills in 24 hours, ${figures.impressions ?? 0} were shown.`;
    case 'not_approved':
      return reason === 'creative' ? 'It has no approved creative.' : `The ${subjectKind} is not approved.`;
    case 'traffic_collapsed':
      return `It had ${figures.requests ?? 0} requests in two hours, where ${figures.usualRequests ?? 0} are usual.`;
  }
}

function behindText({ budgetNanos, projectedNanos }: ConcernFigures): string {
  if (budgetNanos === null || projectedNanos === null) return 'It had no fill for 24 hours';
  const percent = (100n * projectedNanos) / budgetNanos;
  return `The day will probably end at ${percent.toString()} % of its budget`;
}

function endText({ daysLeft }: ConcernFigures): string {
  if (daysLeft === null || daysLeft === 0) return 'is below the price of one impression';
  return `ends in ${daysLeft.toFixed(1)} days at the present spend`;
}
