import type { Logger } from './logs.js';

/** Longest time of all closers together. */
export const CLOSE_MS_MAX = 10_000;

/** A stack of closers. They run in reverse order, each once, under one time limit. All errors are kept. */
export class Closers {
  readonly #stack: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  #closing: Promise<Error[]> | null = null;

  /** Adds the closer of a resource that has just been opened. */
  push(name: string, close: () => Promise<void> | void): void {
    this.#stack.push({ name, close });
  }

  /** Closes everything and answers the errors. A second call gives the same answer. */
  closeAll(log: Logger, limitMs: number = CLOSE_MS_MAX): Promise<Error[]> {
    this.#closing ??= this.#run(log, limitMs);
    return this.#closing;
  }

  async #run(log: Logger, limitMs: number): Promise<Error[]> {
    const errors: Error[] = [];
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, limitMs, 'late');
    });
    for (let entry = this.#stack.pop(); entry !== undefined; entry = this.#stack.pop()) {
      const outcome = await Promise.race([attempt(entry.close), limit]);
      if (outcome === 'late') {
        errors.push(new Error(`${entry.name} did not close within ${limitMs} ms`));
        break;
      }
      if (outcome === null) continue;
      errors.push(new Error(`${entry.name} did not close: ${outcome.message}`, { cause: outcome }));
    }
    clearTimeout(timer);
    for (const error of errors) log.warn(error.message);
    return errors;
  }
}

async function attempt(close: () => Promise<void> | void): Promise<Error | null> {
  try {
    await close();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
