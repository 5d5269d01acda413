import { EventEmitter, once } from 'node:events';

/** Lets a test wait for the n-th call of a function. */
export class Calls<T> {
  readonly made: T[] = [];
  readonly #emitter = new EventEmitter();

  note(call: T): void {
    this.made.push(call);
    this.#emitter.emit('call');
  }

  async until(count: number): Promise<readonly T[]> {
    while (this.made.length < count) await once(this.#emitter, 'call');
    return this.made;
  }
}
