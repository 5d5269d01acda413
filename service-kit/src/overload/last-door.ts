import type { Door } from './door.js';

/** Most reports that run at the same time. */
export const REPORTS_MAX = 16;

/** The door of the least important calls. It is closed in an overload by more important ones. */
export class LastDoor implements Door {
  readonly limit = REPORTS_MAX;
  readonly waiting = 0;
  readonly #isOverloaded: () => boolean;
  #running = 0;

  /** `isOverloaded`: whether more important calls overload the process, or did so a moment ago. */
  constructor(isOverloaded: () => boolean) {
    this.#isOverloaded = isOverloaded;
  }

  get running(): number {
    return this.#running;
  }

  isClosed(): boolean {
    return this.#running >= REPORTS_MAX || this.#isOverloaded();
  }

  enter(): boolean {
    if (this.isClosed()) return false;
    this.#running += 1;
    return true;
  }

  enterLater(onTurn: (isAdmitted: boolean) => void): void {
    onTurn(false);
  }

  leave(): void {
    this.#running -= 1;
  }
}
