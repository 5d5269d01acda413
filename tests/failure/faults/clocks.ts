import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

const SHIFT = fileURLToPath(new URL('./shift-clock.mjs', import.meta.url));
/** Longer than the interval at which a process reads its clock's offset. */
const READ_MS = 200;

/** The wall clocks of a product's processes. Each can be shifted. */
export class Clocks {
  readonly #file: string;
  readonly #offMs = new Map<string, number>();
  #portOf: ReadonlyMap<string, number> = new Map();

  constructor(dataDir: string) {
    this.#file = path.join(dataDir, 'clocks.json');
  }

  /** Environment with which the product must start, so that its clocks can be shifted. */
  get env(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=${SHIFT}`, FAILURE_CLOCKS_FILE: this.#file };
  }

  /** Sets the metrics ports of the processes. A process finds its clock by its port. */
  know(portOf: ReadonlyMap<string, number>): void {
    this.#portOf = portOf;
    this.#write();
  }

  /** Shifts the clock of a process ahead by `offMs`; negative: behind. A process that is started again keeps the shift. */
  async set(name: string, offMs: number): Promise<void> {
    if (!this.#portOf.has(name)) throw new Error(`the clock of ${name} is not known`);
    this.#offMs.set(name, offMs);
    this.#write();
    await sleep(READ_MS);
  }

  /** Removes all shifts. */
  async heal(): Promise<void> {
    if (this.#offMs.size === 0) return;
    this.#offMs.clear();
    this.#write();
    await sleep(READ_MS);
  }

  #write(): void {
    const byPort = [...this.#offMs].map(([name, offMs]) => [String(this.#portOf.get(name)), offMs] as const);
    writeFileSync(`${this.#file}.new`, JSON.stringify(Object.fromEntries(byPort)));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
