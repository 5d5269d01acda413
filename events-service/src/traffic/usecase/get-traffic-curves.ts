import type { TrafficCurve } from '../domain/traffic-curve.js';
import type { TrafficStore } from '../store/traffic.js';

/** The learned days of traffic, those with most requests first, at most 2,000. Error `unavailable`. */
export type GetTrafficCurves = () => Promise<readonly TrafficCurve[]>;

/** Makes {@link GetTrafficCurves}. */
export function makeGetTrafficCurves(store: Pick<TrafficStore, 'curves'>): GetTrafficCurves {
  return () => store.curves();
}
