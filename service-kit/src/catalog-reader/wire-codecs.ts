import type * as wire from '@placard/protos/catalog/v1/catalog.js';
import type { FrequencyCap, Shape, ValueOf } from '../pure/index.js';
import { wordsOnWire, type CodeOf } from '../wire/catalog-wire.js';

/** The type of a shape on the wire. */
export type WireValueOf<S> = S extends { readonly is: 'word'; readonly list: infer List }
  ? CodeOf<List & keyof typeof wordsOnWire>
  : S extends { readonly is: 'list'; readonly item: infer Item }
    ? WireValueOf<Item>[]
    : S extends { readonly is: 'instant' }
      ? bigint
      : S extends { readonly is: 'cap' }
        ? wire.FrequencyCap
        : ValueOf<S> extends string
          ? string
          : ValueOf<S>;

/** Maps a value to or from the wire. Undefined: the value comes from a newer release and is unknown. */
export type Mapper = (value: unknown) => unknown;

/** Both mappers of a shape. Null: the value is the same in memory and on the wire. */
export interface Codec {
  readonly toWire: Mapper | null;
  readonly fromWire: Mapper | null;
}

const SAME: Codec = { toWire: null, fromWire: null };

/** Widens a codec of known types to one that a table may hold. The schema guarantees the types. */
function codec<Value, Wire>(
  toWire: (value: Value) => Wire,
  fromWire: (value: Wire) => Value | undefined,
): Codec {
  return { toWire: toWire as Mapper, fromWire: fromWire as Mapper };
}

/** The codec of a shape. */
export function codecOf(shape: Shape): Codec {
  switch (shape.is) {
    case 'word':
      return wordCodec(wordsOnWire[shape.list]);
    case 'instant':
      return INSTANT;
    case 'cap':
      return CAP;
    case 'list':
      return listCodec(codecOf(shape.item));
    default:
      return SAME;
  }
}

/** A value that may be absent: null in memory, undefined on the wire. */
export function nullable({ toWire, fromWire }: Codec): Codec {
  return {
    toWire: (value) => (value === null ? undefined : toWire === null ? value : toWire(value)),
    fromWire: (value) => (value === undefined ? null : fromWire === null ? value : fromWire(value)),
  };
}

function wordCodec(words: {
  readonly toWire: (word: never) => number;
  readonly fromWire: (code: never) => string | null;
}): Codec {
  return { toWire: words.toWire as Mapper, fromWire: (code) => words.fromWire(code as never) ?? undefined };
}

const INSTANT = codec<number, bigint>(
  (atMs) => BigInt(atMs),
  (atMs) => Number(atMs),
);

const CAP = codec<FrequencyCap, wire.FrequencyCap>(
  ({ count, period }) => ({ count, period: wordsOnWire.capPeriod.toWire(period) }),
  ({ count, period }) => {
    const word = wordsOnWire.capPeriod.fromWire(period);
    return word === null ? undefined : { count, period: word };
  },
);

const EMPTY: readonly never[] = Object.freeze([]);

/** Empty lists share one array in memory, because most lists are empty. */
function listCodec({ toWire, fromWire }: Codec): Codec {
  return codec<readonly unknown[], unknown[]>(
    (values) => (toWire === null ? [...values] : values.map(toWire)),
    (values) => {
      if (values.length === 0) return EMPTY;
      const read = fromWire === null ? values : values.map(fromWire);
      return read.includes(undefined) ? undefined : read;
    },
  );
}
