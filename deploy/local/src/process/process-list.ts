import { OWNER_ONLY, replaceFile } from '@placard/service-kit/files';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../start-error.js';
import { identityOf } from './process-identity.js';

/** Services end by themselves after their parent. Stores are stopped after the last service. */
export type ProcessKind = 'service' | 'store' | 'watchdog';

/** One process that was started for a data folder. */
export interface ListedProcess {
  readonly name: string;
  readonly kind: ProcessKind;
  readonly pid: number;
  /** See `identityOf`. */
  readonly identity: string;
  readonly stopSignal: NodeJS.Signals;
}

/** Longest time until services end after their parent, in milliseconds. */
const LEAVE_MS_MAX = 12_000;
/** Longest stop of a store, in milliseconds. Postgres writes a checkpoint. */
const STORE_STOP_MS_MAX = 20_000;
const KILLED_MS_MAX = 2_000;
const POLL_MS = 50;

/**
 * The processes of a data folder. The list is kept in a file, so that another process can end them when their starter was
 * killed. When the file cannot be written, such as on a full disk, only that is lost.
 */
export class ProcessList {
  readonly #file: string;
  readonly #onFault: (reason: string) => void;
  #isFailing = false;
  #entries: readonly ListedProcess[] = [];

  /**
   * Starts empty. The first entry replaces an existing file. `onFault` is called once when the file cannot be written, until it
   * can be written again.
   */
  constructor(file: string, onFault: (reason: string) => void) {
    this.#file = file;
    this.#onFault = onFault;
  }

  /** Adds a process that was just started, unless it has ended already. */
  add(entry: Omit<ListedProcess, 'identity'>): void {
    const identity = identityOf(entry.pid);
    if (identity === null) return;
    this.#entries = [...this.#entries, { ...entry, identity }];
    this.#write();
  }

  /** Removes a process that has ended. */
  remove(pid: number): void {
    this.#entries = this.#entries.filter((entry) => entry.pid !== pid);
    this.#write();
  }

  /** Kills every service and ends the stores as fast as is safe for their data. Does not wait. */
  killAll(): void {
    for (const entry of this.#entries) {
      signal(entry, entry.kind === 'store' ? immediateSignalOf(entry) : 'SIGKILL');
    }
  }

  #write(): void {
    try {
      if (this.#entries.length === 0) rmSync(this.#file, { force: true });
      else replaceFile(this.#file, JSON.stringify(this.#entries, null, 2), OWNER_ONLY);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#onFault(messageOf(error));
      this.#isFailing = true;
    }
  }
}

/** Processes in the file of a list that still run; empty when there is no file. */
export function listedAlive(file: string): readonly ListedProcess[] {
  let entries: readonly ListedProcess[];
  try {
    entries = JSON.parse(readFileSync(file, 'utf8')) as readonly ListedProcess[];
  } catch {
    return [];
  }
  return entries.filter(isAlive);
}

/**
 * Ends the processes in the file of a list after its owner was killed. Waits until services end by themselves, then stops the
 * stores in the order that is safe for their data. The watchdog and the next start use it.
 */
export async function endListed(file: string, kinds: readonly ProcessKind[]): Promise<void> {
  for (const kind of kinds) {
    const alive = (): readonly ListedProcess[] => listedAlive(file).filter((entry) => entry.kind === kind);
    const ends = alive();
    if (kind === 'store') for (const entry of ends) signal(entry, entry.stopSignal);
    await untilGone(ends, kind === 'store' ? STORE_STOP_MS_MAX : LEAVE_MS_MAX);
    const left = ends.filter(isAlive);
    for (const entry of left) signal(entry, 'SIGKILL');
    await untilGone(left, KILLED_MS_MAX);
  }
}

/** Whether exactly this process runs, and not a later one with its id. */
export function isAlive(entry: Pick<ListedProcess, 'pid' | 'identity'>): boolean {
  return identityOf(entry.pid) === entry.identity;
}

/** Waits until none of the processes is left, or the time is over. */
export async function untilGone(
  entries: readonly Pick<ListedProcess, 'pid' | 'identity'>[],
  limitMs: number,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < limitMs && entries.some(isAlive); waitedMs += POLL_MS)
    await sleep(POLL_MS);
}

function immediateSignalOf(entry: ListedProcess): NodeJS.Signals {
  // On SIGQUIT Postgres ends at once and later recovers from its log. On SIGTERM Redis writes its data within milliseconds.
  return entry.name === 'postgres' ? 'SIGQUIT' : 'SIGTERM';
}

function signal(entry: ListedProcess, name: NodeJS.Signals): void {
  if (!isAlive(entry)) return;
  try {
    process.kill(entry.pid, name);
  } catch {
    // The process ended before the signal, or belongs to another user.
  }
}
