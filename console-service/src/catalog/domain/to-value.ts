import {
  CAP_PERIODS,
  CATALOG_WORDS,
  primaryLanguage,
  READ_FIELDS,
  type AmountUnit,
  type Field,
  type ItemShape,
  type ObjectKind,
  type ObjectOf,
  type Shape,
} from '@placard/service-kit/pure';
import { ownIdOf, type CatalogRow } from './catalog-object.js';
import { amountNanos } from './decimal.js';
import type { FieldValue } from './field-types.js';

const BASIS_POINT_NANOS = 100_000n;
const MICROS = 1_000n;

/**
 * Converts an object for readers of the catalog: money in nano-units, instants in epoch ms, languages as primary subtags.
 * Throws when a stored value has another type: stored values were validated, so that is a fault of the program.
 */
export function toValue<Kind extends ObjectKind>(kind: Kind, row: CatalogRow): ObjectOf<Kind> {
  const value: Record<string, unknown> = {};
  for (const [key, field] of READ_FIELDS[kind]) value[key] = valueOf(row, field);
  return value as ObjectOf<Kind>;
}

function valueOf(row: CatalogRow, field: Field): unknown {
  switch (field.role) {
    case 'id':
      return ownIdOf(row);
    case 'parent':
      return row.parentId ?? '';
    case 'paid':
      return row.fundedNanos;
    default:
      return fromStored(row, field);
  }
}

function fromStored(row: CatalogRow, { name, shape, fallback }: Field): unknown {
  const stored = row.fields[name] ?? null;
  if (stored === null && fallback === null) return null;
  const value = stored === null ? undefined : convert(shape, stored);
  if (value === undefined) throw new Error(`the stored ${row.kind} ${row.id} has no valid ${name}`);
  return value;
}

/** A stored value in the type of its shape in memory; undefined when it has another type. */
function convert(shape: Shape, stored: FieldValue): unknown {
  switch (shape.is) {
    case 'list':
      return Array.isArray(stored) ? convertList(shape.item, stored as readonly FieldValue[]) : undefined;
    case 'flag':
      return typeof stored === 'boolean' ? stored : undefined;
    case 'whole':
    case 'positive':
      return typeof stored === 'number' ? stored : undefined;
    case 'cap':
      return isCap(stored) ? stored : undefined;
    case 'reward':
      // Readers of the catalog do not get it.
      return undefined;
    default:
      return typeof stored === 'string' ? convertText(shape, stored) : undefined;
  }
}

/** Converts a list and drops repetitions: two languages may have the same primary subtag. */
function convertList(item: ItemShape, stored: readonly FieldValue[]): unknown {
  const values = new Set(stored.map((one) => convert(item, one)));
  return values.has(undefined) ? undefined : [...values];
}

function isCap(stored: FieldValue): boolean {
  if (stored === null || typeof stored !== 'object' || !('period' in stored)) return false;
  return (CAP_PERIODS as readonly string[]).includes(stored.period);
}

type StoredAsText = Exclude<Shape, { is: 'list' | 'flag' | 'whole' | 'positive' | 'cap' | 'reward' }>;

function convertText(shape: StoredAsText, stored: string): unknown {
  switch (shape.is) {
    case 'amount':
      return convertAmount(shape.unit, amountNanos(stored));
    case 'instant':
      return Date.parse(stored);
    case 'language':
      return primaryLanguage(stored) ?? undefined;
    case 'word':
      return CATALOG_WORDS[shape.list].find((known) => known === stored);
    case 'text':
    case 'pattern':
    case 'country':
    case 'fileAddress':
    case 'clickAddress':
      return stored;
  }
}

function convertAmount(unit: AmountUnit, nanos: bigint): bigint | number {
  switch (unit) {
    case 'nanos':
      return nanos;
    case 'costNanos':
      // The bid in micro-units is the cost of one impression in nano-units. Contract: docs/contract/money.md#unit.
      return nanos / MICROS;
    case 'basisPoints':
      return Number(nanos / BASIS_POINT_NANOS);
  }
}
