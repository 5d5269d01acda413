import { spawn, type ChildProcess } from 'node:child_process';
import type { Say } from '../say.js';
import { LogFile } from './log-file.js';
import { makeLimiter } from './notice.js';
import type { ProcessKind, ProcessList } from './process-list.js';

/** Delay before the first restart of a crashed process, in milliseconds. It doubles with each further crash. */
const RESTART_MS_MIN = 500;
const RESTART_MS_MAX = 30_000;
/** A process that ran this long before it crashed starts again with the shortest delay. */
const SETTLED_MS = 60_000;
/** Longest stop of a process before it is killed, in milliseconds. Its own limit is 10 seconds. */
const STOP_MS_MAX = 15_000;

/** Whether a process serves; `detail` describes what is missing. */
export interface Probe {
  readonly isReady: boolean;
  readonly detail: string;
}

/** How to run one process. */
export interface ProcessSpec {
  readonly name: string;
  readonly kind: ProcessKind;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The user of the process; null: this process's user. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  /** The signal that stops it cleanly. */
  readonly stopSignal: NodeJS.Signals;
  /** The text to show for a log line; null: none. */
  readonly notice: (line: string) => string | null;
  readonly logFile: string;
  /** Probes whether it serves; null for a process that does its work and ends. */
  readonly probe: (() => Promise<Probe>) | null;
}

/** Environment of managed processes. */
export interface Surroundings {
  readonly say: Say;
  readonly list: ProcessList;
  /** Aborted when everything is being stopped. No process starts after it. */
  readonly stopping: AbortSignal;
  /** Every process that was made. Each adds itself, so that a stop finds all of them. */
  readonly fleet: ManagedProcess[];
}

/** How a process ended. */
export interface Ended {
  /** Null when a signal ended it or it could not be run. */
  readonly status: number | null;
  /** Description such as `ended with status 1`. */
  readonly how: string;
}

/**
 * One process and its log. Before `keepAlive` an end is final, and `start` resolves with it. After it a crash is reported and
 * the process is started again with growing delays.
 */
export class ManagedProcess {
  readonly spec: ProcessSpec;
  readonly #around: Surroundings;
  readonly #log: LogFile;
  #child: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();
  #ending: ((ended: Ended) => void) | null = null;
  #mode: 'once' | 'kept' | 'held' = 'once';
  #timer: NodeJS.Timeout | null = null;
  #delayMs = RESTART_MS_MIN;
  #startedAtMs = 0;

  constructor(spec: ProcessSpec, around: Surroundings) {
    this.spec = spec;
    this.#around = around;
    around.fleet.push(this);
    const shown = makeLimiter(
      (line) => around.say.from(spec.name, line),
      `… more of the same in ${spec.logFile}`,
    );
    this.#log = new LogFile(spec.logFile, (line) => {
      const text = spec.notice(line);
      if (text !== null && this.#mode === 'kept') shown(text, Date.now());
    });
  }

  /** Id of the process; null while it is down. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts the process. Resolves with its end; a process that cannot be started ends at once. */
  start(): Promise<Ended> {
    if (this.#around.stopping.aborted) return Promise.resolve({ status: null, how: 'was not started' });
    this.#mode = 'once';
    return this.#spawn();
  }

  /** Restarts the process after crashes, from now on. */
  keepAlive(): void {
    this.#mode = 'kept';
    if (this.#child === null) this.#restartLater('ended');
  }

  /** Kills the process. It stays down until the next `start`. */
  async kill(): Promise<void> {
    this.#mode = 'held';
    this.#cancelRestart();
    this.#child?.kill('SIGKILL');
    await this.#exited;
  }

  /** Stops the process cleanly, or kills it with a warning when it takes too long. Does nothing when it is down. */
  async stop(): Promise<void> {
    this.#mode = 'held';
    this.#cancelRestart();
    const child = this.#child;
    if (child === null) return;
    child.kill(this.spec.stopSignal);
    const timer = setTimeout(() => {
      this.#around.say.warn(`${this.spec.name} does not stop and is killed.`);
      child.kill('SIGKILL');
    }, STOP_MS_MAX);
    await this.#exited;
    clearTimeout(timer);
  }

  /** The last lines of its log. */
  tail(): readonly string[] {
    return this.#log.tail();
  }

  #spawn(): Promise<Ended> {
    const { command, args, env, cwd, user, kind, name, stopSignal } = this.spec;
    // A group of its own: Ctrl-C reaches only this process, which stops everything in order. The channel ends with this process.
    const child = spawn(command, args, {
      env,
      cwd,
      detached: true,
      stdio: kind === 'service' ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
      uid: user?.uid,
      gid: user?.gid,
    });
    this.#child = child;
    this.#startedAtMs = Date.now();
    if (child.pid !== undefined) this.#around.list.add({ name, kind, pid: child.pid, stopSignal });
    child.stdout?.on('data', (chunk: Buffer) => this.#log.write(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#log.write(chunk));
    const ended = new Promise<Ended>((resolve) => (this.#ending = resolve));
    this.#exited = new Promise((resolve) => {
      child.once('error', (error) => {
        if (child.pid !== undefined) return;
        this.#gone(child, { status: null, how: `could not be run: ${error.message}` });
        resolve();
      });
      // `close` comes after all output.
      child.once('close', (status, signal) => {
        this.#gone(child, {
          status,
          how: signal === null ? `ended with status ${status ?? 0}` : `was ended by ${signal}`,
        });
        resolve();
      });
    });
    return ended;
  }

  #gone(child: ChildProcess, ended: Ended): void {
    if (this.#child !== child) return;
    this.#child = null;
    if (child.pid !== undefined) this.#around.list.remove(child.pid);
    this.#ending?.(ended);
    if (this.#mode === 'kept') this.#restartLater(ended.how);
  }

  #restartLater(how: string): void {
    if (Date.now() - this.#startedAtMs > SETTLED_MS) this.#delayMs = RESTART_MS_MIN;
    this.#around.say.warn(`${this.spec.name} ${how}; it is started again in ${this.#delayMs / 1_000} s.`);
    this.#timer = setTimeout(() => void this.#spawn(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, RESTART_MS_MAX);
  }

  #cancelRestart(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
