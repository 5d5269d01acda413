import type { GivenAnswer, KnownRequest } from '../domain/repetition.js';

/** The name of a request: its caller and the key that the caller chose. */
export interface RequestName {
  readonly actorId: string;
  readonly key: string;
}

/** The right to answer a request. It ends after a while unless it is renewed, so that a killed process holds no name. */
export interface Hold {
  readonly name: RequestName;
  /** Each begin of a request has another one. */
  readonly holder: string;
}

/** The answers to requests with an idempotency key. Every method may fail with `unavailable`. */
export interface AnswerStore {
  /**
   * Notes a request that begins, and holds its name. When the name is in use, nothing changes, and the answer is what is
   * stored. Names whose time is over are free, and the same request takes over one whose hold has ended.
   */
  begin(request: {
    readonly name: RequestName;
    readonly hash: string;
    readonly atMs: number;
  }): Promise<Hold | { readonly known: KnownRequest }>;
  /** Moves on the end of a hold. Does nothing when another request has taken over the name. */
  renew(hold: Hold): Promise<void>;
  /** Stores the answer. Does nothing when another request has taken over the name. */
  finish(hold: Hold, answer: GivenAnswer): Promise<void>;
  /** Frees the name of a request that changed nothing. */
  forget(hold: Hold): Promise<void>;
  /** Removes what began before an instant. */
  removeBefore(atMs: number): Promise<void>;
}
