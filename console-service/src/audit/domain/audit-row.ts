import { formatNanos } from '@placard/service-kit/pure';
import type { Fields } from '../../catalog/domain/catalog-object.js';
import { KINDS, type ObjectKind } from '../../catalog/domain/kinds.js';
import { changedLines } from '../../catalog/domain/change/changed-fields.js';

/** The tables of the audit: `changes` has those of the catalog and the books, `access` those of people and keys. */
export type AuditTable = 'changes' | 'access';

/** Where a row stands in the audit, which is ordered by time, table and number. */
export interface AuditPlace {
  /** Epoch µs. */
  readonly atMicros: bigint;
  readonly table: AuditTable;
  readonly number: bigint;
}

/** One row of the audit. */
export interface AuditRow extends AuditPlace {
  readonly actor: string;
  /** What was done, such as `updated`, `paid_out`, `key_created` or `refused`. */
  readonly what: string;
  /** The kind of the object, account or month. Null in a row about access. */
  readonly kind: string | null;
  /** The id of what was changed, or the operation that was refused. */
  readonly subject: string;
  /** The catalog's version. Null in a row about access. */
  readonly version: number | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  /** Of a booking: its amount and reference. Of a row about access: what else to know. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

const OF_OBJECTS: readonly string[] = ['created', 'updated', 'removed'];

/**
 * What else is known of a row: the changed fields of an object (`bid_cpm: 2.50 → 3.00`), or the members of another row
 * (`amount: 5.000000000`, `role: adops`). The fields of a new or removed object are in the history of the catalog.
 */
export function auditDetails({ kind, what, before, after }: AuditRow): readonly string[] {
  if (kind !== null && isObjectKind(kind) && OF_OBJECTS.includes(what))
    return before === null || after === null ? [] : changedLines(kind, before as Fields, after as Fields);
  return Object.entries(after ?? {}).map(([name, value]) =>
    name === 'amount_nanos' ? `amount: ${formatNanos(BigInt(String(value)))}` : `${name}: ${String(value)}`,
  );
}

function isObjectKind(kind: string): kind is ObjectKind {
  return Object.hasOwn(KINDS, kind);
}

/** A row by its table and number: `changes-12`. */
export function auditId({ table, number }: Pick<AuditPlace, 'table' | 'number'>): string {
  return `${table}-${number}`;
}

/** The cursor behind a row: `1777636800000000-changes-12`. */
export function cursorOf(place: AuditPlace): string {
  return `${place.atMicros}-${auditId(place)}`;
}

/** Reads what {@link cursorOf} wrote. The document says what a cursor looks like. */
export function placeOf(cursor: string): AuditPlace {
  const [atMicros = '', table, number = ''] = cursor.split('-');
  return {
    atMicros: BigInt(atMicros),
    table: table === 'access' ? 'access' : 'changes',
    number: BigInt(number),
  };
}
