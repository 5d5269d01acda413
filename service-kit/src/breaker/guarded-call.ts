import type { AdmittedCall } from './breaker.js';
import { runAt } from '../process/coarse-timers.js';
import type { AppError } from '../process/errors.js';

/** A call that waited for a shorter time says nothing about its peer when it gets no answer, in milliseconds. */
const LATE_MS_MIN = 400;
/** A call that is sent alone ends up to this early, because clocks of calls and of grpc-js differ. In milliseconds. */
const DEADLINE_EARLY_MS = 5;

/** What a call is judged by. */
export interface GuardedCallOptions {
  /** When the call was made, on `performance.now()`. */
  readonly startedAt: number;
  /** Longest time of the call, in milliseconds. */
  readonly budgetMs: number;
  /** Whether its caller may leave before the call ends. */
  readonly mayLeave: boolean;
}

/** A call to a peer that a breaker has admitted: tells the breaker what its end says about the peer. */
export class GuardedCall {
  readonly #admitted: AdmittedCall;
  readonly #options: GuardedCallOptions;
  #timer: ReturnType<typeof runAt> | null = null;
  /** Set once the call has waited in vain for long: how late that was noticed, in milliseconds. */
  #noticedLateMs: number | null = null;

  constructor(admitted: AdmittedCall, options: GuardedCallOptions) {
    this.#admitted = admitted;
    this.#options = options;
    if (!options.mayLeave) return;
    const longAt = options.startedAt + LATE_MS_MIN;
    this.#timer = runAt(longAt, () => (this.#noticedLateMs = performance.now() - longAt));
  }

  /** The peer has answered. */
  answered(): void {
    this.#timer?.cancel();
    this.#admitted.inTime();
  }

  /** The call has ended with an error. One before the deadline came from the peer or the connection, without delay. */
  failed({ code }: AppError): void {
    this.#timer?.cancel();
    const { startedAt, budgetMs } = this.#options;
    const overdueMs = performance.now() - startedAt - budgetMs;
    if (code === 'cancelled') this.#left();
    else if (code !== 'deadline_exceeded' || overdueMs < -DEADLINE_EARLY_MS) this.#admitted.inTime();
    else if (budgetMs < LATE_MS_MIN) this.#admitted.unclear();
    else this.#admitted.late(overdueMs);
  }

  /** The caller did not wait any longer. Most phones wait for a second, which is less than the budget. */
  #left(): void {
    if (this.#noticedLateMs === null) this.#admitted.unclear();
    else this.#admitted.late(this.#noticedLateMs);
  }
}
