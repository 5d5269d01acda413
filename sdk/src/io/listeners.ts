/** Callbacks that are called with each value until they are removed. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();

  /** Adds a callback. The returned function removes it. */
  add(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  /** Calls all callbacks. An error in one of them is the app's: it is thrown later, and the others are called. */
  call(value: T): void {
    for (const listener of [...this.#all]) {
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
