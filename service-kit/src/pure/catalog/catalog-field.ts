import type { AmountShape, InstantShape, Shape, ValueOf } from './catalog-shapes.js';

/**
 * Where a field's value comes from, and who gets it: `id` and `parent` name the object and the one above it; `set` stands
 * in the file; `fixed` does so and may not change once the object exists; `kept` stands in the file and stays in
 * console-service; `paid` is not in the file, console-service counts it.
 */
export type FieldRole = 'id' | 'parent' | 'set' | 'fixed' | 'kept' | 'paid';

/** A default as the stored catalog spells it. Null: not set. */
export type Fallback = null | boolean | number | string | readonly (string | number)[];

/** One field of a kind of object. */
export interface Field<
  S extends Shape = Shape,
  Default extends Fallback | undefined = Fallback | undefined,
  Role extends FieldRole = FieldRole,
> {
  readonly role: Role;
  /** As in the file; a field of a mapping inside is written `targeting.formats`. Of a parent: its kind. */
  readonly name: string;
  readonly shape: S;
  /** What a new object gets, and what an explicit null sets. Undefined: the field is required and cannot be cleared. */
  readonly fallback: Default;
  /** What the operator reads in docs/catalog-file.md. */
  readonly meaning: string;
}

/** A field's values in memory. */
export type FieldValueOf<F> =
  F extends Field<infer S, infer Default> ? ValueOf<S> | (Default extends null ? null : never) : never;

/** What may be the default of a shape: amounts and instants have no other than null. */
type DefaultOf<S> = (S extends AmountShape | InstantShape ? never : ValueOf<S> & Fallback) | null;

/** The object's own id, or its code. */
export function ownId<S extends Shape>(
  name: 'id' | 'code',
  shape: S,
  meaning: string,
): Field<S, undefined, 'id'> {
  return { role: 'id', name, shape, fallback: undefined, meaning };
}

/** The id of the object of that kind under which this one stands. */
export function parentId<S extends Shape>(kind: string, shape: S): Field<S, undefined, 'parent'> {
  return { role: 'parent', name: kind, shape, fallback: undefined, meaning: '' };
}

/** A field that a new object must have. */
export function required<S extends Shape>(
  name: string,
  shape: S,
  meaning: string,
): Field<S, undefined, 'set'> {
  return { role: 'set', name, shape, fallback: undefined, meaning };
}

/** A field that a new object must have and that may not change. */
export function fixed<S extends Shape>(
  name: string,
  shape: S,
  meaning: string,
): Field<S, undefined, 'fixed'> {
  return { role: 'fixed', name, shape, fallback: undefined, meaning };
}

/** A field with a default. */
export function optional<S extends Shape, const Default extends DefaultOf<S>>(
  name: string,
  shape: S,
  fallback: Default,
  meaning: string,
): Field<S, Default, 'set'> {
  return { role: 'set', name, shape, fallback, meaning };
}

/** A field that no reader of the catalog needs. */
export function kept<S extends Shape, const Default extends Fallback | undefined>(
  name: string,
  shape: S,
  fallback: Default,
  meaning: string,
): Field<S, Default, 'kept'> {
  return { role: 'kept', name, shape, fallback, meaning };
}

/** A sum that console-service counts. */
export function paid<S extends Shape>(shape: S): Field<S, undefined, 'paid'> {
  return { role: 'paid', name: '', shape, fallback: undefined, meaning: '' };
}
