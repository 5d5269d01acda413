import { TARGETING_KEYS, type TargetingKey } from '@placard/service-kit/pure';
import { compareIndexed, targetedValues, type IndexedCampaign } from './indexed-campaign.js';

/**
 * The value of a request for each targeting list. Null matches only campaigns whose list is empty. The format is never
 * null.
 */
export type TargetingQuery = { readonly [Key in TargetingKey]: string | null };

const WORD_BITS = 32;
/** One bit for each campaign of a block, by its position. */
type BitSet = Uint32Array;

/** Of one targeting list: the campaigns that accept any value, and those that accept each value. */
interface Postings {
  readonly any: BitSet;
  readonly byValue: Map<string, BitSet>;
}

/** The bit sets of a query. A word of matches is `any | value` for every list, and-ed with the servable campaigns. */
export interface BlockQuery {
  readonly words: number;
  readonly servable: BitSet;
  /** The servable campaigns that are not skipped. */
  readonly live: BitSet;
  readonly pairs: readonly (readonly [BitSet, BitSet])[];
}

/**
 * A range of the index with its own bit sets. A change rebuilds one block and leaves the others unchanged. A value that
 * no campaign of the block targets costs nothing.
 */
export class IndexBlock {
  /** The entries in the order of the index. */
  readonly entries: IndexedCampaign[];
  readonly #postings: readonly Postings[];
  readonly #servable: BitSet;
  readonly #skipped: BitSet;
  readonly #live: BitSet;
  #liveWords = 0;
  readonly #none: BitSet;

  constructor(entries: IndexedCampaign[]) {
    this.entries = entries;
    const words = Math.ceil(entries.length / WORD_BITS);
    this.#none = new Uint32Array(words);
    this.#servable = new Uint32Array(words);
    this.#skipped = new Uint32Array(words);
    this.#live = new Uint32Array(words);
    for (const [place, entry] of entries.entries()) if (entry.isServable) setBit(this.#servable, place);
    for (let word = 0; word < words; word += 1) this.#refreshLive(word);
    this.#postings = TARGETING_KEYS.map((key) => postingsOf(entries, key, words));
  }

  /** Whether any campaign of the block is servable and not skipped. */
  get hasLive(): boolean {
    return this.#liveWords > 0;
  }

  /** Prepares a query. Null: no campaign of the block can match. */
  query(query: TargetingQuery): BlockQuery | null {
    const pairs: [BitSet, BitSet][] = [];
    for (const [at, key] of TARGETING_KEYS.entries()) {
      const postings = this.#postings[at] as Postings;
      const value = query[key];
      const chosen = value === null ? undefined : postings.byValue.get(value);
      if (chosen === undefined && key === 'formats') return null;
      pairs.push([postings.any, chosen ?? this.#none]);
    }
    return { words: this.#none.length, servable: this.#servable, live: this.#live, pairs };
  }

  /** Replaces an entry by another one of the same campaign with the same targeting and bid. */
  replace(before: IndexedCampaign, after: IndexedCampaign): void {
    const place = this.entries.indexOf(before);
    if (place < 0) throw new Error(`campaign ${before.campaign.id} is not in its block`);
    this.entries[place] = after;
    if (after.isServable) setBit(this.#servable, place);
    else clearBit(this.#servable, place);
    clearBit(this.#skipped, place);
    this.#refreshLive(place >>> 5);
  }

  /** The skipped entries. */
  skipped(): IndexedCampaign[] {
    return this.entries.filter(
      (_, place) => ((this.#skipped[place >>> 5] as number) & (1 << (place & 31))) !== 0,
    );
  }

  /** Skips this entry until it is retried or the block is rebuilt. */
  skip(entry: IndexedCampaign): void {
    const place = this.#placeOf(entry);
    if (this.entries[place] !== entry) return;
    setBit(this.#skipped, place);
    this.#refreshLive(place >>> 5);
  }

  /** Ends the skipping of a campaign. */
  retry(entry: IndexedCampaign): void {
    const place = this.#placeOf(entry);
    if (this.entries[place]?.campaign.id !== entry.campaign.id) return;
    clearBit(this.#skipped, place);
    this.#refreshLive(place >>> 5);
  }

  #refreshLive(word: number): void {
    const live = ((this.#servable[word] as number) & ~(this.#skipped[word] as number)) >>> 0;
    const before = this.#live[word] as number;
    if (before === 0 && live !== 0) this.#liveWords += 1;
    if (before !== 0 && live === 0) this.#liveWords -= 1;
    this.#live[word] = live;
  }

  /** The position of an entry, or the position at which it would be inserted. */
  #placeOf(entry: IndexedCampaign): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareIndexed(this.entries[middle] as IndexedCampaign, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The sorted entries of this block after some campaigns were removed and others added. Builds no block. */
  merged(removed: ReadonlySet<string>, added: readonly IndexedCampaign[]): IndexedCampaign[] {
    const kept = this.entries.filter((entry) => !removed.has(entry.campaign.id));
    return added.length === 0 ? kept : kept.concat(added).sort(compareIndexed);
  }
}

function postingsOf(entries: readonly IndexedCampaign[], key: TargetingKey, words: number): Postings {
  // A campaign without creatives matches no request.
  const isEmptyAny = key !== 'formats';
  const any = new Uint32Array(words);
  const byValue = new Map<string, BitSet>();
  for (const [place, entry] of entries.entries()) {
    const values = targetedValues(entry, key);
    if (values.length === 0 && isEmptyAny) setBit(any, place);
    for (const value of values) {
      const text = String(value);
      let bits = byValue.get(text);
      if (bits === undefined) byValue.set(text, (bits = new Uint32Array(words)));
      setBit(bits, place);
    }
  }
  return { any, byValue };
}

function setBit(bits: BitSet, place: number): void {
  const word = place >>> 5;
  bits[word] = (bits[word] as number) | (1 << (place & 31));
}

function clearBit(bits: BitSet, place: number): void {
  const word = place >>> 5;
  bits[word] = (bits[word] as number) & ~(1 << (place & 31));
}

/** The matches of one word among the campaigns in `among`, as bits. */
export function matchWord(query: BlockQuery, word: number, among: number): number {
  let bits = among;
  for (const [any, chosen] of query.pairs) bits &= (any[word] as number) | (chosen[word] as number);
  return bits;
}
