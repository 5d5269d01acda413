const NONE: readonly never[] = [];

/**
 * Lists of members by group, each ordered by the names of the members. A list that was handed out is replaced, never
 * changed.
 */
export class SortedGroups<Member> {
  readonly #lists = new Map<string, readonly Member[]>();
  readonly #nameOf: (member: Member) => string;

  constructor(nameOf: (member: Member) => string) {
    this.#nameOf = nameOf;
  }

  /** The group's members; empty for an unknown group. */
  of(group: string): readonly Member[] {
    return this.#lists.get(group) ?? NONE;
  }

  /** Adds a member whose name is not in the group. */
  add(group: string, member: Member): void {
    const list = this.of(group);
    const at = this.#position(list, this.#nameOf(member));
    this.#lists.set(group, [...list.slice(0, at), member, ...list.slice(at)]);
  }

  /** Removes a member, if it is there. */
  drop(group: string, name: string): void {
    const left = this.of(group).filter((member) => this.#nameOf(member) !== name);
    if (left.length === 0) this.#lists.delete(group);
    else this.#lists.set(group, left);
  }

  /** The index of a name, or the index at which it would be inserted. */
  #position(list: readonly Member[], name: string): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const member = list[middle];
      if (member !== undefined && this.#nameOf(member) < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
