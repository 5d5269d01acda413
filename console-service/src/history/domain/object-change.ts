import type { Fields } from '../../catalog/domain/catalog-object.js';
import type { ObjectKind } from '../../catalog/domain/kinds.js';

/** The change of one object of the catalog, as the audit has it. */
export interface ObjectChange {
  /** The catalog's version that the change made. */
  readonly version: number;
  /** Epoch ms. */
  readonly atMs: number;
  /** Who made it. */
  readonly actor: string;
  readonly kind: ObjectKind;
  /** The id in the file; for a placement `<app id>/<code>`. */
  readonly id: string;
  readonly change: 'created' | 'updated' | 'removed';
  /** Fields before; null for a new object. An earlier release may have stored fewer fields than there are today. */
  readonly before: Fields | null;
  /** Fields after; null for a removed object. */
  readonly after: Fields | null;
}
