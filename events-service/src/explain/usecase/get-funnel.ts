import { appError } from '@placard/service-kit';
import { CALENDAR_END_MS, HOUR_MS } from '@placard/service-kit/pure';
import { joinFunnel, type FunnelHour } from '../domain/funnel.js';
import type { ExplanationStore, FunnelQuery } from '../store/explanations.js';

/** A campaign's funnel and the instant of its snapshot (epoch ms). */
export interface Funnel {
  readonly asOfMs: number;
  readonly hours: readonly FunnelHour[];
}

/**
 * Reads what became of a campaign's requests. The start is rounded down and the end up to whole hours. Errors:
 * `invalid_argument`, `unavailable`. Contract: docs/contract/explanations.md#funnel.
 */
export type GetFunnel = (query: FunnelQuery) => Promise<Funnel>;

/** Makes {@link GetFunnel}. */
export function makeGetFunnel(store: Pick<ExplanationStore, 'funnel'>): GetFunnel {
  return async ({ campaignId, fromMs, toMs }) => {
    if (!(fromMs >= 0 && toMs <= CALENDAR_END_MS && fromMs <= toMs))
      throw appError('invalid_argument', 'A funnel lies between 1970 and 9999 and ends after it begins.');
    const { asOfMs, losses, deliveries } = await store.funnel({
      campaignId,
      fromMs: Math.floor(fromMs / HOUR_MS) * HOUR_MS,
      toMs: Math.ceil(toMs / HOUR_MS) * HOUR_MS,
    });
    return { asOfMs, hours: joinFunnel(losses, deliveries) };
  };
}
