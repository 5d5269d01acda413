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

/** How often something stood in for each part. */
export type Uses = ReadonlyMap<string, number>;

/** Tells the product's processes what to leave out. They are started with its environment. */
export class Switchboard {
  readonly #dir = mkdtempSync(path.join(tmpdir(), 'placard-bill-'));
  #order = 0;

  /** Throws an `Error` on a Node.js that cannot replace exports of modules. */
  constructor() {
    if ('registerHooks' in module) return;
    throw new Error(`bill needs Node.js 24: ${process.version} has no module.registerHooks`);
  }

  /** What makes the product's processes replaceable in parts. */
  get environment(): Readonly<Record<string, string>> {
    // Always the built file: the product's processes run without a loader for TypeScript.
    const hook = new URL('../../dist/bill/hook.js', import.meta.url).href;
    return { NODE_OPTIONS: `--import=${hook}`, [BILL_DIR]: this.#dir };
  }

  /** Why the product did not start, as far as this is the reason; empty: it is not. */
  faults(): readonly string[] {
    return readdirSync(this.#dir)
      .filter((file) => file.endsWith(FAULT_ENDING))
      .map((file) => readFileSync(path.join(this.#dir, file), 'utf8'));
  }

  /**
   * Leaves one part out from now on, or none, in all processes (`pids` by name); answers how often something stood in
   * for each since the last call. Rejects when a process does not obey, or has not replaced all that the table names.
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
    throw new Error(`bill: ${name} does not obey; its log in the data folder may say why`);
  }
}

function processesOf(parts: readonly Part[]): readonly string[] {
  return [...new Set(parts.flatMap(({ patches }) => patches.flatMap(({ processes }) => processes)))];
}

function signal(name: string, pid: number | undefined): void {
  if (pid === undefined) throw new Error(`bill: there is no process ${name}`);
  process.kill(pid, 'SIGUSR2');
}

/** Null: there is none yet. */
function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}

/** A module that is never loaded would be left out without anyone's notice. */
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
