import type { TrafficCurve as WireCurve } from '@placard/protos/events/v1/events.js';
import { adFormatToWire } from '@placard/service-kit/wire';
import type { TrafficCurve } from '../domain/traffic-curve.js';

/** A learned day of traffic for the wire. */
export function toWireCurve({ category, format, shares, ...curve }: TrafficCurve): WireCurve {
  return { ...curve, appCategory: category, format: adFormatToWire(format), shares: [...shares] };
}
