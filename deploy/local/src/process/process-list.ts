import { OWNER_ONLY, replaceFile } from '@placard/service-kit/files';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../start-error.js';
import { identityOf } from './process-identity.js';

/** Services leave by themselves when their parent is gone; stores are stopped once no service is left. */
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

/** How long services may take to leave after their parent is gone, in milliseconds. */
const LEAVE_MS_MAX = 12_000;
/** How long a store may take to stop, in milliseconds: Postgres writes a checkpoint. */
const STORE_STOP_MS_MAX = 20_000;
const KILLED_MS_MAX = 2_000;
const POLL_MS = 50;

/**
 * The processes that belong to a data folder, kept in a file, so that they can be found and ended by someone else when
 * whoever started them was killed. A file that cannot be written, as on a full disk, costs that and nothing else.
 */
export class ProcessList {
  readonly #file: string;
  readonly #onFault: (reason: string) => void;
  #isFailing = false;
  #entries: readonly ListedProcess[] = [];

  /**
   * Starts empty; a file that is there is replaced with the first entry. `onFault` is called when the file cannot be written any
   * more, once until it can be again.
   */
  constructor(file: string, onFault: (reason: string) => void) {
    this.#file = file;
    this.#onFault = onFault;
  }

  /** Adds a process that was just started; one that is gone already is left out. */
  add(entry: Omit<ListedProcess, 'identity'>): void {
    const identity = identityOf(entry.pid);
    if (identity === null) return;
    this.#entries = [...this.#entries, { ...entry, identity }];
    this.#write();
  }

  /** Forgets a process that has ended. */
  remove(pid: number): void {
    this.#entries = this.#entries.filter((entry) => entry.pid !== pid);
    this.#write();
  }

  /** Sends SIGKILL to every service and ends the stores as fast as is safe for their data; waits for nothing. */
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

/** Those of a list's file that still run; empty when there is no such file. */
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
 * Ends what a list's file still holds after its owner was killed: services are given time to leave by themselves, then
 * the stores are stopped in the order that is safe for their data. Used by the watchdog and by the next start.
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

/** True while this very process runs, not a later one with its number. */
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
  // Postgres on SIGQUIT leaves at once and recovers from its log; Redis on SIGTERM writes what it has, in milliseconds.
  return entry.name === 'postgres' ? 'SIGQUIT' : 'SIGTERM';
}

function signal(entry: ListedProcess, name: NodeJS.Signals): void {
  if (!isAlive(entry)) return;
  try {
    process.kill(entry.pid, name);
  } catch {
    // It ended between the look and the signal, or belongs to someone else.
  }
}
