/**
 * Whether the caller of a call has stopped waiting, and certainly has no answer and gets none. Work that holds something
 * for the caller registers here how it is given back.
 */
export class Abandonment {
  #isAbandoned = false;
  #undos: (() => void)[] | null = null;

  /** Whether nobody waits for the answer. Work that has not begun should not begin. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Whether something would be given back. */
  get isWatched(): boolean {
    return this.#undos !== null;
  }

  /** Calls `undo` when the call is abandoned, and at once when it is already. It must not throw. */
  onAbandoned(undo: () => void): void {
    if (this.#isAbandoned) undo();
    else (this.#undos ??= []).push(undo);
  }

  /** Notes that nobody waits for the answer and nobody has received it. Repeated calls have no effect. */
  abandon(): void {
    this.#isAbandoned = true;
    const undos = this.#undos ?? [];
    this.#undos = null;
    for (const undo of undos) undo();
  }
}
