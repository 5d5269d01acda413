import { randomIndex, type Random } from '@placard/service-kit/pure';
import { matchWord, type BlockQuery, type IndexBlock, type TargetingQuery } from './index-block.js';
import type { IndexedCampaign } from './indexed-campaign.js';

/** Up to about this number of skipped campaigns are recorded. */
const PASSED_OVER_MAX = 32;

/**
 * Walks the matching campaigns, highest bid first. Equal bids have a random order in each walk. The walk reads only as
 * much of the index as the caller needs.
 */
export class CandidateWalk {
  readonly #blocks: readonly IndexBlock[];
  readonly #query: TargetingQuery;
  #block = -1;
  #blockQuery: BlockQuery | null = null;
  #word = 0;
  /** Matches of the current word that were not taken. */
  #bits = 0;
  /** The first match of the next group. Null: the end. */
  #ahead: IndexedCampaign | null;
  /** Matches of the current bid that were not drawn. */
  readonly #group: IndexedCampaign[] = [];
  readonly #passedOver: IndexedCampaign[] = [];
  readonly #taken: IndexedCampaign[] = [];

  constructor(blocks: readonly IndexBlock[], query: TargetingQuery) {
    this.#blocks = blocks;
    this.#query = query;
    this.#ahead = this.#nextMatch();
  }

  /** Some of the matching campaigns that this walk has left out because they are skipped. Empty when there was none. */
  get passedOver(): readonly IndexedCampaign[] {
    return this.#passedOver;
  }

  /** The campaigns that were taken so far, in order. */
  get taken(): readonly IndexedCampaign[] {
    return this.#taken;
  }

  /** The next campaign, or null at the end. Contract: docs/contract/selection.md#selection-order. */
  next(random: Random): IndexedCampaign | null {
    if (this.#group.length === 0 && !this.#fillGroup()) return null;
    const group = this.#group;
    const at = group.length === 1 ? 0 : randomIndex(random, group.length);
    const drawn = group[at] ?? null;
    const last = group.pop();
    if (last !== undefined && at < group.length) group[at] = last;
    if (drawn !== null) this.#taken.push(drawn);
    return drawn;
  }

  /** Collects every match of the next bid. */
  #fillGroup(): boolean {
    const first = this.#ahead;
    if (first === null) return false;
    let entry: IndexedCampaign | null = first;
    while (entry?.rank === first.rank) {
      this.#group.push(entry);
      entry = this.#nextMatch();
    }
    this.#ahead = entry;
    return true;
  }

  #nextMatch(): IndexedCampaign | null {
    if (this.#bits === 0 && !this.#nextWord()) return null;
    const lowest = this.#bits & -this.#bits;
    this.#bits ^= lowest;
    const place = (this.#word - 1) * 32 + (31 - Math.clz32(lowest));
    return this.#blocks[this.#block]?.entries[place] ?? null;
  }

  /**
   * Moves to the next word with matches. Once enough skipped campaigns are recorded, further ones cost next to nothing.
   */
  #nextWord(): boolean {
    while (this.#blockQuery !== null || this.#nextBlock()) {
      const query = this.#blockQuery;
      if (query === null) continue;
      if (this.#word >= query.words) {
        this.#blockQuery = null;
        continue;
      }
      const live = query.live[this.#word] as number;
      const among = this.#isSated ? live : (query.servable[this.#word] as number);
      const matches = among === 0 ? 0 : matchWord(query, this.#word, among);
      if ((matches & ~live) !== 0) this.#notePassedOver(matches & ~live);
      this.#bits = matches & live;
      this.#word += 1;
      if (this.#bits !== 0) return true;
    }
    return false;
  }

  /** Moves to the next block. False: the end. A block without possible matches is left out without a query. */
  #nextBlock(): boolean {
    this.#block += 1;
    const block = this.#blocks[this.#block];
    if (block === undefined) return false;
    if (block.hasLive || !this.#isSated) this.#blockQuery = block.query(this.#query);
    this.#word = 0;
    return true;
  }

  get #isSated(): boolean {
    return this.#passedOver.length >= PASSED_OVER_MAX;
  }

  #notePassedOver(bits: number): void {
    for (let left = bits; left !== 0 && this.#passedOver.length < PASSED_OVER_MAX; left &= left - 1) {
      const entry = this.#blocks[this.#block]?.entries[this.#word * 32 + (31 - Math.clz32(left & -left))];
      if (entry !== undefined) this.#passedOver.push(entry);
    }
  }
}
