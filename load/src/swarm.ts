import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { encodeHistogram, makeHistogram } from './histogram.js';
import { rootDir } from './root-dir.js';
import type { Assignment, Order, Phase, PhaseResult, Report, Second } from './generator/messages.js';

/** Receives the progress of a phase. */
export interface Listener {
  /** Called when all generators have warmed up. */
  readonly measuring: () => void;
  readonly second: (second: Second) => void;
}

/** The built file. It starts fast, even when this process uses a loader for TypeScript. */
const GENERATOR = path.join(rootDir, 'load', 'dist', 'generator', 'main.js');

/** Separate processes that make the load, so that their CPU is not counted for the product. */
export class Swarm {
  readonly #children: readonly ChildProcess[];

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
  }

  /** Starts generators for one target. Each has its own seed, so phones differ. They end when `stopping` is aborted. */
  static async open(assignment: Assignment, generators: number, stopping?: AbortSignal): Promise<Swarm> {
    const children = Array.from({ length: generators }, () =>
      // A session of its own lets a generator have another priority than the product.
      fork(GENERATOR, { serialization: 'advanced', execArgv: [], detached: true }),
    );
    const swarm = new Swarm(children);
    stopping?.addEventListener('abort', () => swarm.close(), { once: true });
    const share = (total: number): number => Math.ceil(total / generators);
    try {
      await swarm.#all((index) => ({
        kind: 'open',
        assignment: {
          ...assignment,
          sessions: share(assignment.sessions),
          seed: assignment.seed + index,
        },
      }));
    } catch (error) {
      swarm.close();
      throw error;
    }
    return swarm;
  }

  /** Process ids by name. */
  get pids(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      this.#children.map(({ pid = 0 }, index) => [`load generator ${index + 1}`, pid]),
    );
  }

  /** Runs a phase on all generators, which share its rate and lanes. */
  run(phase: Phase, listener: Listener): Promise<readonly PhaseResult[]> {
    const count = this.#children.length;
    const order: Order = {
      kind: 'run',
      phase: {
        ...phase,
        rate: phase.rate === null ? null : phase.rate / count,
        concurrency: Math.ceil(phase.concurrency / count),
        fall: phase.fall === null ? null : { ...phase.fall, rate: phase.fall.rate / count },
        callsMax: phase.callsMax === null ? null : Math.ceil(phase.callsMax / count),
      },
    };
    let warm = 0;
    return this.#all(
      () => order,
      (report) => {
        if (report.kind === 'second') listener.second(report.second);
        if (report.kind !== 'measuring') return;
        warm += 1;
        if (warm === count) listener.measuring();
      },
    );
  }

  /** Ends the generators. */
  close(): void {
    for (const child of this.#children) if (child.connected) child.disconnect();
  }

  #all(orderFor: (index: number) => Order, heard: (report: Report) => void = () => undefined) {
    return Promise.all(this.#children.map((child, index) => ask(child, orderFor(index), heard)));
  }
}

const NO_TIMES = encodeHistogram(makeHistogram());
const NOTHING: PhaseResult = {
  measuredMs: 0,
  counted: [],
  outcomes: { accepted: NO_TIMES, refused: NO_TIMES, left: NO_TIMES, failed: NO_TIMES },
  unsent: 0,
  lateness: NO_TIMES,
  afterFall: [],
  clientWait: NO_TIMES,
  loopDelayMs: { p50: 0, p99: 0 },
  accepted: 0,
  waitingFills: 0,
};

/** Sends an order and waits for its result; rejects when the generator fails or ends. */
function ask(child: ChildProcess, order: Order, heard: (report: Report) => void): Promise<PhaseResult> {
  return new Promise((resolve, reject) => {
    const finish = (end: () => void): void => {
      child.off('message', receive);
      child.off('exit', gone);
      end();
    };
    const gone = (): void => finish(() => reject(new Error('a load generator ended by itself')));
    const receive = (message: unknown): void => {
      const report = message as Report;
      heard(report);
      if (report.kind === 'done') finish(() => resolve(report.result));
      if (report.kind === 'opened') finish(() => resolve(NOTHING));
      if (report.kind === 'failed') finish(() => reject(new Error(report.message)));
    };
    child.on('message', receive);
    child.on('exit', gone);
    child.send(order);
  });
}
