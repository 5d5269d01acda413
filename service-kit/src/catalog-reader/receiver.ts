import type { ChangeSet, WatchResponse } from '@placard/protos/catalog/v1/catalog.js';
import { CATALOG_KINDS, type CatalogDelta } from '../pure/index.js';
import { addToSnapshot, applyChanges, type CatalogChanges } from './apply.js';
import { Catalog } from './catalog.js';
import { DeltaBuilder } from './delta.js';
import { nameFromWire, objectFromWire } from './wire.js';
import type { CatalogObject, ObjectName } from './object.js';

/** Callbacks of the receiver. */
export interface ReceiverEvents {
  /** A snapshot or a change is in force now. */
  onDelta(delta: CatalogDelta): void;
  /** Objects with values of a newer release were left out. */
  onUnknown(count: number): void;
}

/**
 * Builds the catalog in force from the messages of a stream, or of a file that holds the same messages. A snapshot is
 * built separately and then replaces the old catalog as a whole. A change is applied at once, in memory and
 * synchronously. So no reader sees a part of either.
 */
export class Receiver {
  #inForce = new Catalog();
  #built: { readonly catalog: Catalog; readonly delta: DeltaBuilder } | null = null;
  readonly #events: ReceiverEvents;

  constructor(events: ReceiverEvents) {
    this.#events = events;
  }

  /** The catalog in force. Each snapshot replaces the object. */
  get catalog(): Catalog {
    return this.#inForce;
  }

  /** Drops a snapshot that is incomplete. */
  startOver(): void {
    this.#built = null;
  }

  /**
   * Applies a message. False: the version of the writer is lower than the one in force (the writer was set up again, or
   * lags), so only a snapshot can help.
   */
  receive({ event }: WatchResponse): boolean {
    switch (event?.$case) {
      case 'snapshotStart':
        this.#built = { catalog: new Catalog(), delta: new DeltaBuilder() };
        return true;
      case 'changes':
        return this.#change(event.value);
      case 'snapshotEnd':
        this.#swap(Number(event.value.version));
        return true;
      case 'heartbeat':
        return this.#built !== null || Number(event.value.version) >= this.#inForce.version;
      case undefined:
        return true;
    }
  }

  #change(changeSet: ChangeSet): boolean {
    const changes = this.#toChanges(changeSet);
    if (this.#built !== null) {
      addToSnapshot(this.#built.catalog, this.#inForce, changes, this.#built.delta);
      return true;
    }
    const version = Number(changeSet.version);
    // One version may come in several parts, and again after a resume. Applying it again changes nothing.
    if (version < this.#inForce.version) return false;
    const delta = new DeltaBuilder();
    applyChanges(this.#inForce, changes, delta);
    this.#inForce.version = version;
    this.#events.onDelta(delta.build(version));
    return true;
  }

  #swap(version: number): void {
    if (this.#built === null) return;
    const { catalog, delta } = this.#built;
    for (const kind of CATALOG_KINDS) {
      const kept = catalog.table(kind);
      for (const key of this.#inForce.table(kind).keys()) if (!kept.has(key)) delta.removed(kind, key);
    }
    if (catalog.global.isServingEnabled !== this.#inForce.global.isServingEnabled)
      delta.isGlobalChanged = true;
    catalog.version = version;
    this.#inForce = catalog;
    this.#built = null;
    this.#events.onDelta(delta.build(version));
  }

  #toChanges({ upserts, deletions }: ChangeSet): CatalogChanges {
    const objects: CatalogObject[] = [];
    const names: ObjectName[] = [];
    let unknown = 0;
    for (const deletion of deletions) {
      const name = nameFromWire(deletion);
      if (name === null) unknown += 1;
      else names.push(name);
    }
    for (const upsert of upserts) {
      const read = objectFromWire(upsert);
      if (read.isKnown) {
        objects.push(read.object);
        continue;
      }
      unknown += 1;
      if (read.name !== null) names.push(read.name);
    }
    if (unknown > 0) this.#events.onUnknown(unknown);
    return { upserts: objects, deletions: names };
  }
}
