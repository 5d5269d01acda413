import { toIso } from '@placard/service-kit/pure';
import type { ConcernChanges, OpenConcern } from './concern-changes.js';

/** The events of a comparison as JSON texts: each concern that begins, and each that ends. `nowMs` is epoch ms. */
export function eventsOf({ begun, ended }: ConcernChanges, nowMs: number): readonly string[] {
  return [
    ...begun.map((concern) => toEvent('concern.began', concern, nowMs)),
    ...ended.map((concern) => toEvent('concern.ended', concern, nowMs)),
  ];
}

function toEvent(type: 'concern.began' | 'concern.ended', { row }: OpenConcern, nowMs: number): string {
  return JSON.stringify({ type, at: toIso(nowMs), concern: row });
}
