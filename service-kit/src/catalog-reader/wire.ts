import type * as wire from '@placard/protos/catalog/v1/catalog.js';
import { READ_FIELDS, type FieldValueOf, type ObjectKind, type ReadFields } from '../pure/index.js';
import type { CatalogObject, ObjectName } from './object.js';
import { nameOf } from './object.js';
import { codecOf, nullable, type Codec, type WireValueOf } from './wire-codecs.js';
import { objectKindOnWire } from '../wire/catalog-wire.js';

/** The result of reading one object from the wire. */
export type ObjectRead =
  | { readonly isKnown: true; readonly object: CatalogObject }
  /**
   * The object has a value of a newer release that is unknown here, so the caller leaves it out. Name null: its name is
   * unknown too.
   */
  | { readonly isKnown: false; readonly name: ObjectName | null };

type OnWire = NonNullable<wire.CatalogObject['object']>;
type Message<Kind extends ObjectKind> = Extract<OnWire, { readonly $case: Kind }>['value'];

/** `approved` for `isApproved`. Other names are the same. */
type WireKey<Key extends string> = Key extends `is${infer Rest}` ? Uncapitalize<Rest> : Key;

/** The message of a kind as the schema requires it. */
type WantedMessage<Kind extends ObjectKind> = {
  [Key in keyof ReadFields<Kind> as WireKey<Key & string>]: ReadFields<Kind>[Key] extends {
    readonly shape: infer S;
  }
    ? WireValueOf<S> | (null extends FieldValueOf<ReadFields<Kind>[Key]> ? undefined : never)
    : never;
};

/** Names of fields that only one of the types has, or that differ in type. */
type Disagreement<A, B> =
  | Exclude<keyof A, keyof B>
  | Exclude<keyof B, keyof A>
  | { [Key in keyof A & keyof B]: Same<A[Key], B[Key]> extends true ? never : Key }[keyof A & keyof B];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/**
 * The kind, if catalog.proto and the schema have the same fields for it. Otherwise the names of the fields that differ.
 */
type Agreed<Kind extends ObjectKind> = [Disagreement<WantedMessage<Kind>, Message<Kind>>] extends [never]
  ? Kind
  : Disagreement<WantedMessage<Kind>, Message<Kind>>;

/** The names of a field and the codec of its values. */
interface Column extends Codec {
  readonly key: string;
  readonly wireKey: string;
}

// A kind that does not satisfy `Agreed` differs from its message. The compiler names the fields.
const COLUMNS: Readonly<Record<OnWire['$case'], readonly Column[]>> = {
  global: columnsOf('global' satisfies Agreed<'global'>),
  publisher: columnsOf('publisher' satisfies Agreed<'publisher'>),
  app: columnsOf('app' satisfies Agreed<'app'>),
  placement: columnsOf('placement' satisfies Agreed<'placement'>),
  advertiser: columnsOf('advertiser' satisfies Agreed<'advertiser'>),
  campaign: columnsOf('campaign' satisfies Agreed<'campaign'>),
  creative: columnsOf('creative' satisfies Agreed<'creative'>),
};

function columnsOf(kind: ObjectKind): readonly Column[] {
  return READ_FIELDS[kind].map(([key, { shape, fallback }]) => ({
    key,
    wireKey: wireKeyOf(key),
    ...(fallback === null ? nullable(codecOf(shape)) : codecOf(shape)),
  }));
}

function wireKeyOf(key: string): string {
  return /^is[A-Z]/.test(key) ? key.charAt(2).toLowerCase() + key.slice(3) : key;
}

/** Encodes one object for the stream and the file on disk. */
export function objectToWire({ kind, value }: CatalogObject): wire.CatalogObject {
  const given = value as Readonly<Record<string, unknown>>;
  const message: Record<string, unknown> = {};
  for (const { key, wireKey, toWire } of COLUMNS[kind]) {
    message[wireKey] = toWire === null ? given[key] : toWire(given[key]);
  }
  return { object: { $case: kind, value: message } as unknown as OnWire };
}

/** Decodes one object. */
export function objectFromWire({ object }: wire.CatalogObject): ObjectRead {
  if (object === undefined) return { isKnown: false, name: null };
  const kind = object.$case;
  const message = object.value as unknown as Readonly<Record<string, unknown>>;
  const value: Record<string, unknown> = {};
  let isKnown = true;
  for (const { key, wireKey, fromWire } of COLUMNS[kind]) {
    const read = fromWire === null ? message[wireKey] : fromWire(message[wireKey]);
    if (read === undefined) isKnown = false;
    value[key] = read;
  }
  const known = { kind, value } as unknown as CatalogObject;
  return isKnown ? { isKnown, object: known } : { isKnown: false, name: nameOf(known) };
}

/** Encodes the name of a deleted object. */
export function nameToWire({ kind, key }: ObjectName): wire.Deletion {
  return { kind: objectKindOnWire.toWire(kind), id: key };
}

/** Decodes the name of a deleted object. Null: an unknown kind of a newer release. */
export function nameFromWire(deletion: wire.Deletion): ObjectName | null {
  const kind = objectKindOnWire.fromWire(deletion.kind);
  return kind === null ? null : { kind, key: deletion.id };
}
