import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from './part.js';
import { PARTS } from './parts.js';
import { BILL_DIR, FAULT_ENDING } from './replace.js';
import { ORDER_FILE, reportFile } from './switchboard-files.js';
import { exportName, type LeaveOut, type Report } from './wrapping.js';

const ANSWER_MS_MAX = 5_000;
const POLL_MS = 5;

/** Uses of stand-ins by part. */
export type Uses = ReadonlyMap<string, number>;

/** Sends orders to the product's processes, which must be started with its environment. */
export class Switchboard {
  readonly #dir = mkdtempSync(path.join(tmpdir(), 'placard-bill-'));
  #order = 0;

  /** Throws an `Error` on a Node.js that cannot replace exports of modules. */
  constructor() {
    if ('registerHooks' in module) return;
    throw new Error(`bill needs Node.js 24: ${process.version} has no module.registerHooks`);
  }

  /** Environment in which parts of the product's processes can be replaced. */
  get environment(): Readonly<Record<string, string>> {
    // The built file, because the product's processes run without a loader for TypeScript.
    const hook = new URL('../../dist/bill/hook.js', import.meta.url).href;
    return { NODE_OPTIONS: `--import=${hook}`, [BILL_DIR]: this.#dir };
  }

  /** Faults of the replacement that prevented the start of the product; empty: none. */
  faults(): readonly string[] {
    return readdirSync(this.#dir)
      .filter((file) => file.endsWith(FAULT_ENDING))
      .map((file) => readFileSync(path.join(this.#dir, file), 'utf8'));
  }

  /**
   * Leaves one part out from now on, or none, in all processes (`pids` by name); returns the uses of stand-ins since the last
   * call. Rejects when a process does not answer, or has not replaced every export in the table.
   */
  async leaveOut(part: Part | null, pids: Readonly<Record<string, number>>): Promise<Uses> {
    this.#order += 1;
    const order: LeaveOut = { order: this.#order, part: part?.id ?? null };
    const file = path.join(this.#dir, ORDER_FILE);
    writeFileSync(`${file}.new`, JSON.stringify(order));
    renameSync(`${file}.new`, file);
    const names = processesOf(PARTS);
    for (const name of names) signal(name, pids[name]);
    const uses = new Map<string, number>();
    for (const name of names) {
      const report = await this.#reportOf(name);
      checkWrapped(name, report);
      for (const [id, count] of Object.entries(report.uses)) uses.set(id, (uses.get(id) ?? 0) + count);
    }
    return uses;
  }

  close(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  async #reportOf(name: string): Promise<Report> {
    for (let waitedMs = 0; waitedMs < ANSWER_MS_MAX; waitedMs += POLL_MS) {
      await sleep(POLL_MS);
      const report = readReport(path.join(this.#dir, reportFile(name)));
      if (report?.order === this.#order) return report;
    }
    throw new Error(`bill: ${name} does not answer the order; see its log in the data folder`);
  }
}

function processesOf(parts: readonly Part[]): readonly string[] {
  return [...new Set(parts.flatMap(({ patches }) => patches.flatMap(({ processes }) => processes)))];
}

function signal(name: string, pid: number | undefined): void {
  if (pid === undefined) throw new Error(`bill: there is no process ${name}`);
  process.kill(pid, 'SIGUSR2');
}

/** The report in a file; null: there is none yet. */
function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}

/** Checks that all modules were loaded. A part in a module that is not loaded would have no effect. */
function checkWrapped(name: string, { wrapped }: Report): void {
  const wanted = PARTS.flatMap(({ patches }) => patches).filter(({ processes }) =>
    processes.some((one) => one === name),
  );
  const missing = wanted
    .map((patch) => exportName(patch.module, patch.name))
    .find((one) => !wrapped.includes(one));
  if (missing === undefined) return;
  throw new Error(`bill: ${name} does not load ${missing} any more. Bring load/src/bill/parts up to date.`);
}
