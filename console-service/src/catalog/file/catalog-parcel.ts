import type { FaultParts } from '../domain/faults.js';
import type { FieldValue } from '../domain/field-types.js';
import type { ObjectKind } from '../domain/kinds.js';
import { NO_FIELDS, NO_KINDS, type NamedObject } from '../domain/read-catalog.js';

/**
 * An object of a catalog file in a message between threads. Fields are a plain object, because the receiving thread keeps
 * their names once for all objects. Empty sets are left out, since most are empty.
 */
export interface Parcel extends Omit<NamedObject, 'given' | 'faulty' | 'sections'> {
  readonly given: Readonly<Record<string, FieldValue>>;
  readonly faulty?: readonly string[];
  readonly sections?: readonly ObjectKind[];
}

/** A message between the threads. `end` is the last one; its sections are null when nothing could be read. */
export type Piece =
  | { readonly kind: 'objects'; readonly objects: readonly Parcel[] }
  | { readonly kind: 'end'; readonly sections: readonly ObjectKind[] | null; readonly faults: FaultParts };

/** Packs an object. */
export function toParcel({ given, faulty, sections, ...rest }: NamedObject): Parcel {
  return {
    ...rest,
    given: Object.fromEntries(given),
    ...(faulty.size === 0 ? {} : { faulty: [...faulty] }),
    ...(sections.size === 0 ? {} : { sections: [...sections] }),
  };
}

/** Unpacks what {@link toParcel} packed. */
export function fromParcel({ given, faulty, sections, ...rest }: Parcel): NamedObject {
  return {
    ...rest,
    given: new Map(Object.entries(given)),
    faulty: faulty === undefined ? NO_FIELDS : new Set(faulty),
    sections: sections === undefined ? NO_KINDS : new Set(sections),
  };
}
