/** A bounded queue. The oldest item is taken first, and dropped when there are too many. */
export class Ring<Item> {
  readonly #max: number;
  #items: Item[] = [];
  #first = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#items.length - this.#first;
  }

  put(item: Item): void {
    this.#items.push(item);
    if (this.size > this.#max) this.#first += 1;
    if (this.#first > this.#max) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Takes the oldest item; null when there is none. */
  take(): Item | null {
    const item = this.#items[this.#first];
    if (item === undefined) return null;
    this.#first += 1;
    return item;
  }

  /** Takes the oldest fitting item among the first `triesMax`; items before it go to the end. Null when none fits. */
  takeIf(fits: (item: Item) => boolean, triesMax: number): Item | null {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const item = this.take();
      if (item === null) return null;
      if (fits(item)) return item;
      this.put(item);
    }
    return null;
  }
}
