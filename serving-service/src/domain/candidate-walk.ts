import { randomIndex, type Random } from '@placard/service-kit/pure';
import { matchWord, type BlockQuery, type IndexBlock, type TargetingQuery } from './index-block.js';
import type { IndexedCampaign } from './indexed-campaign.js';

/** Campaigns that were passed over and are remembered, at least while there are so many. */
const PASSED_OVER_MAX = 32;

/**
 * Walks the matching campaigns: highest bid first, equal bids in an order that is drawn anew for each walk. Only as much
 * of the index is looked at as is asked for.
 */
export class CandidateWalk {
  readonly #blocks: readonly IndexBlock[];
  readonly #query: TargetingQuery;
  #block = -1;
  #blockQuery: BlockQuery | null = null;
  #word = 0;
  /** Matches of the current word that are not yet taken. */
  #bits = 0;
  /** First match of the next group; null at the end. */
  #ahead: IndexedCampaign | null;
  /** Matches of the current bid that are not yet drawn. */
  readonly #group: IndexedCampaign[] = [];
  readonly #passedOver: IndexedCampaign[] = [];

  constructor(blocks: readonly IndexBlock[], query: TargetingQuery) {
    this.#blocks = blocks;
    this.#query = query;
    this.#ahead = this.#nextMatch();
  }

  /** Some of the matching campaigns that were passed over so far since they rest; empty when there was none. */
  get passedOver(): readonly IndexedCampaign[] {
    return this.#passedOver;
  }

  /** The next campaign, or null at the end. Specification: "Selection order", step 7. */
  next(random: Random): IndexedCampaign | null {
    if (this.#group.length === 0 && !this.#fillGroup()) return null;
    const group = this.#group;
    const at = group.length === 1 ? 0 : randomIndex(random, group.length);
    const drawn = group[at] ?? null;
    const last = group.pop();
    if (last !== undefined && at < group.length) group[at] = last;
    return drawn;
  }

  /** Gathers every match of the next bid. */
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
    while (this.#bits === 0) {
      if (!this.#nextWord()) return null;
    }
    const lowest = this.#bits & -this.#bits;
    this.#bits ^= lowest;
    const place = (this.#word - 1) * 32 + (31 - Math.clz32(lowest));
    return this.#blocks[this.#block]?.entries[place] ?? null;
  }

  #nextWord(): boolean {
    while (this.#blockQuery === null || this.#word >= this.#blockQuery.words) {
      this.#block += 1;
      const block = this.#blocks[this.#block];
      if (block === undefined) return false;
      this.#blockQuery = block.query(this.#query);
      this.#word = 0;
    }
    const matches = matchWord(this.#blockQuery, this.#word);
    const resting = this.#blockQuery.resting[this.#word] as number;
    this.#bits = matches & ~resting;
    if ((matches & resting) !== 0) this.#notePassedOver(matches & resting);
    this.#word += 1;
    return true;
  }

  #notePassedOver(bits: number): void {
    for (let left = bits; left !== 0 && this.#passedOver.length < PASSED_OVER_MAX; left &= left - 1) {
      const entry = this.#blocks[this.#block]?.entries[this.#word * 32 + (31 - Math.clz32(left & -left))];
      if (entry !== undefined) this.#passedOver.push(entry);
    }
  }
}
