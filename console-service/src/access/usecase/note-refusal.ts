import { makeBoundedMap } from '@placard/service-kit/background';
import { MINUTE_MS, type Clock } from '@placard/service-kit/pure';
import type { Actor } from '../domain/actor.js';
import { actorText } from '../domain/permission.js';
import type { KeyStore } from '../store/key-store.js';

/** Most refusals of one actor that one replica stores in a minute. The metric counts all of them. */
const STORED_PER_MINUTE_MAX = 100;
/** Most actors whose refusals are counted at the same time. */
const ACTORS_MAX = 1_000;

/**
 * Stores that a known actor was refused. `operation` is its `operationId`, or `authenticate`. Error `unavailable`: the refusal
 * could not be stored.
 */
export type NoteRefusal = (
  actor: Pick<Actor, 'id' | 'name' | 'systemUser'>,
  operation: string,
  reason: string,
) => Promise<void>;

/** What {@link NoteRefusal} needs. */
export interface NoteRefusalDeps {
  readonly store: Pick<KeyStore, 'audit'>;
  readonly clock: Clock;
}

/** Makes {@link NoteRefusal}. A program that repeats a refused call cannot fill the audit. */
export function makeNoteRefusal({ store, clock }: NoteRefusalDeps): NoteRefusal {
  const stored = makeBoundedMap<string, { readonly minute: number; count: number }>(ACTORS_MAX);
  const mayStore = (id: string, atMs: number): boolean => {
    const minute = Math.floor(atMs / MINUTE_MS);
    const before = stored.get(id);
    const current = before?.minute === minute ? before : { minute, count: 0 };
    stored.set(id, current);
    current.count += 1;
    return current.count <= STORED_PER_MINUTE_MAX;
  };
  return async (actor, operation, reason) => {
    const atMs = clock.now();
    if (!mayStore(actor.id, atMs)) return;
    const detail = { reason };
    await store.audit({ atMs, actor: actorText(actor), action: 'refused', subject: operation, detail });
  };
}
