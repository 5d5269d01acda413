import type { CampaignId, CatalogDelta } from '@placard/service-kit/pure';
import { CandidateWalk } from './candidate-walk.js';
import { IndexBlock, type TargetingQuery } from './index-block.js';
import {
  compareIndexed,
  isSamePlace,
  toIndexed,
  type IndexedCampaign,
  type IndexedCatalog,
} from './indexed-campaign.js';
import { CampaignFamilies } from './campaign-families.js';

/** Most campaigns of a block. A larger block is split into pieces of half this size. */
export const BLOCK_CAMPAIGNS_MAX = 1_024;

/**
 * Every campaign, sorted by bid, with posting lists for every targeting list. A change only touches the blocks of its
 * campaigns.
 */
export class CampaignIndex {
  #blocks: IndexBlock[] = [];
  readonly #entries = new Map<CampaignId, IndexedCampaign>();
  readonly #families = new CampaignFamilies();

  /** Builds the index of a whole catalog. */
  static of(catalog: IndexedCatalog): CampaignIndex {
    const index = new CampaignIndex();
    const ids: CampaignId[] = [];
    for (const campaign of catalog.campaigns()) ids.push(campaign.id);
    index.#refresh(catalog, ids);
    return index;
  }

  /** The number of campaigns in any state. */
  get size(): number {
    return this.#entries.size;
  }

  /** The entry of a campaign. Undefined: the campaign is unknown. */
  get(id: CampaignId): IndexedCampaign | undefined {
    return this.#entries.get(id);
  }

  /** Applies a change. `catalog` is already at the new version. Answers the changed campaigns. */
  apply(catalog: IndexedCatalog, delta: CatalogDelta): ReadonlySet<CampaignId> {
    const touched = this.#families.touchedBy(catalog, delta);
    this.#refresh(catalog, touched);
    return touched;
  }

  /** Walks the campaigns that match, highest bid first. */
  walk(query: TargetingQuery): CandidateWalk {
    return new CandidateWalk(this.#blocks, query);
  }

  /**
   * At most `countMax` neighbouring entries from the position `start` (0 to 1, excluded) of the index on. After the last
   * one it goes on with the first. Whatever its state, each campaign is equally likely for a random start.
   */
  part(start: number, countMax: number): readonly IndexedCampaign[] {
    const count = Math.min(countMax, this.size);
    const part: IndexedCampaign[] = [];
    let skip = Math.floor(start * this.size);
    for (let turn = 0; part.length < count && turn <= this.#blocks.length * 2; turn += 1) {
      const entries = this.#blocks[turn % this.#blocks.length]?.entries ?? [];
      for (let at = skip; at < entries.length && part.length < count; at += 1)
        part.push(entries[at] as IndexedCampaign);
      skip = Math.max(0, skip - entries.length);
    }
    return part;
  }

  /** Skips this entry in every walk until it is retried or changes. */
  skip(entry: IndexedCampaign): void {
    this.#blockOf(entry)?.skip(entry);
  }

  /** Ends the skipping of a campaign. */
  retry(entry: IndexedCampaign): void {
    this.#blockOf(entry)?.retry(entry);
  }

  #refresh(catalog: IndexedCatalog, ids: Iterable<CampaignId>): void {
    const removed = new Map<IndexBlock, Set<string>>();
    const added: IndexedCampaign[] = [];
    for (const id of ids) {
      this.#families.note(catalog, id);
      const before = this.#entries.get(id);
      const after = toIndexed(catalog, id);
      if (after === null) this.#entries.delete(id);
      else this.#entries.set(id, after);
      const block = before && this.#blockOf(before);
      if (block !== undefined && before !== undefined) {
        if (after !== null && isSamePlace(before, after)) {
          block.replace(before, after);
          continue;
        }
        getOrAdd(removed, block, () => new Set()).add(id);
      }
      if (after !== null) added.push(after);
    }
    this.#rebuild(removed, added);
  }

  #rebuild(removed: ReadonlyMap<IndexBlock, ReadonlySet<string>>, added: IndexedCampaign[]): void {
    const byBlock = new Map<IndexBlock | undefined, IndexedCampaign[]>();
    for (const entry of added) getOrAdd(byBlock, this.#blockOf(entry), () => []).push(entry);
    const orphans = byBlock.get(undefined) ?? [];
    const blocks = orphans.length === 0 ? [] : cut(orphans.sort(compareIndexed));
    const skipped: IndexedCampaign[] = [];
    for (const block of this.#blocks) {
      const gone = removed.get(block);
      const come = byBlock.get(block);
      if (gone === undefined && come === undefined) blocks.push(block);
      else {
        blocks.push(...cut(block.merged(gone ?? NOBODY, come ?? [])));
        skipped.push(...block.skipped());
      }
    }
    this.#blocks = blocks;
    for (const entry of skipped) this.skip(entry);
  }

  /** The block of an entry, or the block in which it would be inserted. Undefined only while there is no block. */
  #blockOf(entry: IndexedCampaign): IndexBlock | undefined {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const first = this.#blocks[middle]?.entries[0];
      if (first !== undefined && compareIndexed(first, entry) <= 0) low = middle;
      else high = middle - 1;
    }
    return this.#blocks[low];
  }
}

const NOBODY: ReadonlySet<string> = new Set();

function cut(entries: IndexedCampaign[]): IndexBlock[] {
  if (entries.length === 0) return [];
  if (entries.length <= BLOCK_CAMPAIGNS_MAX) return [new IndexBlock(entries)];
  const size = BLOCK_CAMPAIGNS_MAX / 2;
  const blocks: IndexBlock[] = [];
  for (let at = 0; at < entries.length; at += size) blocks.push(new IndexBlock(entries.slice(at, at + size)));
  return blocks;
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
