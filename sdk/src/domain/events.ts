import type { FallbackReason } from './wire.js';

/** An event that the server has not yet answered finally. */
export type QueuedEvent = QueuedAdEvent | QueuedFallback;

/** An event of an ad. Contract: docs/contract/sdk-api.md#event-payloads. */
export interface QueuedAdEvent {
  /** Unique on the device. It begins with the app's key. */
  readonly id: string;
  readonly kind: 'impression' | 'click' | 'reward';
  readonly requestId: string;
  readonly impressionToken: string;
  /** Of a reward: whether the user has seen the video to its end. */
  readonly completion: boolean;
}

/** The app used another network. */
export interface QueuedFallback {
  readonly id: string;
  readonly kind: 'fallback';
  readonly placement: string;
  readonly reason: Exclude<FallbackReason, 'disabled'>;
}

const KINDS = ['impression', 'click', 'reward', 'fallback'];

/** The place of an event among those of its ad, whatever the clock said: without its impression the server refuses it. */
export function placeOf({ kind }: QueuedEvent): number {
  return KINDS.indexOf(kind);
}

/** What the ids of an app's events begin with. Several apps may share a store. */
export function idPrefixOf(appKey: string): string {
  return `${appKey}.`;
}

/** True for an event of the app. A store may hold anything. */
export function isEventOf(appKey: string, row: unknown): row is QueuedEvent {
  const event = Object(row) as Partial<Record<keyof QueuedAdEvent | keyof QueuedFallback, unknown>>;
  const isText = (...values: unknown[]): boolean => values.every((value) => typeof value === 'string');
  const { id, kind, requestId, impressionToken, placement, reason } = event;
  return (
    typeof id === 'string' &&
    id.startsWith(idPrefixOf(appKey)) &&
    (kind === 'fallback'
      ? isText(placement, reason)
      : KINDS.includes(kind as string) && isText(requestId, impressionToken))
  );
}
