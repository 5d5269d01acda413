/** Limits the number of open items at one time. */
export interface Slots {
  /** Takes a slot and answers a function that gives it back. Null: the key, or all keys together, have no free slot. */
  take(key: string): (() => void) | null;
}

/** Makes slots. A limit of 0 means no limit. Keys without a slot are removed. */
export function makeSlots(max: { readonly perKey: number; readonly all: number }): Slots {
  const held = new Map<string, number>();
  let all = 0;
  return {
    take(key) {
      const own = held.get(key) ?? 0;
      if ((max.perKey > 0 && own >= max.perKey) || (max.all > 0 && all >= max.all)) return null;
      held.set(key, own + 1);
      all += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        all -= 1;
        const left = (held.get(key) ?? 1) - 1;
        if (left === 0) held.delete(key);
        else held.set(key, left);
      };
    },
  };
}
