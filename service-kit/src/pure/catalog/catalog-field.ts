import type { AmountShape, InstantShape, Shape, ValueOf } from './catalog-shapes.js';

/**
 * The source and the readers of a field's value. `id` and `parent` name the object and its parent. `set` is in the
 * file. `fixed` is in the file and cannot change once the object exists. `kept` is in the file and stays in
 * console-service. `paid` is not in the file: console-service counts it.
 */
export type FieldRole = 'id' | 'parent' | 'set' | 'fixed' | 'kept' | 'paid';

/** A default in the form of the stored catalog. Null: not set. */
export type Fallback = null | boolean | number | string | readonly (string | number)[];

/** One field of a kind of object. */
export interface Field<
  S extends Shape = Shape,
  Default extends Fallback | undefined = Fallback | undefined,
  Role extends FieldRole = FieldRole,
> {
  readonly role: Role;
  /** The name in the file. A field inside a mapping is written `targeting.formats`. For a parent: its kind. */
  readonly name: string;
  readonly shape: S;
  /** The value of a new object, and of an explicit null. Undefined: the field is required and cannot be cleared. */
  readonly fallback: Default;
  /** The description in docs/catalog-file.md, for operators. */
  readonly meaning: string;
}

/** The values of a field in memory. */
export type FieldValueOf<F> =
  F extends Field<infer S, infer Default> ? ValueOf<S> | (Default extends null ? null : never) : never;

/** Possible defaults of a shape. Amounts and instants have none but null. */
type DefaultOf<S> = (S extends AmountShape | InstantShape ? never : ValueOf<S> & Fallback) | null;

/** The id or the code of the object itself. */
export function ownId<S extends Shape>(
  name: 'id' | 'code',
  shape: S,
  meaning: string,
): Field<S, undefined, 'id'> {
  return { role: 'id', name, shape, fallback: undefined, meaning };
}

/** The id of the parent object, which is of that kind. */
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

/** A field that a new object must have and that cannot change. */
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

/** A field that readers of the catalog do not need. */
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
