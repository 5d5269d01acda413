import { PlacardError } from '../domain/errors.js';
import { elapsedMs, leftMs, momentOf, spanUntil, type Moment, type Span } from '../domain/time.js';
import type { Config, PlacementConfig, SessionAnswer } from '../domain/wire.js';
import type { Api } from './api.js';
import type { Platform } from './platform.js';

/** A started session. */
export interface Session {
  readonly token: string;
  readonly config: Config;
  readonly placements: readonly PlacementConfig[];
  /** When this configuration was asked for. */
  readonly configuredAt: Moment;
  /** The life of the token. */
  readonly life: Span;
}

/** Who starts sessions. Contract: docs/contract/sdk-api.md#post-sdkinitialize. */
export interface SessionsDeps {
  readonly api: Api;
  readonly platform: Platform;
  /** Body of `initialize`. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  /** A session or its configuration is new. Must not throw. */
  readonly onSession: (session: Session) => void;
}

/** A session is renewed when this share of its life is left, so that no request waits for it. */
const RENEWED_SHARE = 0.1;
/** While a kill switch is on, the configuration is asked for at most this often. */
const RECHECK_MS = 300_000;

/** Keeps one session: starts it on first use, renews it before it expires, and replaces it when the server refuses it. */
export class Sessions {
  readonly #deps: SessionsDeps;
  #session: Session | null = null;
  #starting: Promise<Session> | null = null;
  /** The wait that the server has asked for, and with what error. */
  #refusal: { readonly error: PlacardError; readonly wait: Span } | null = null;
  #isClosed = false;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  /** The last session; null before the first. Its token may have expired. */
  get last(): Session | null {
    return this.#session;
  }

  /** Starts no session from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /** Throws `wrong_state` once this is closed. */
  assertOpen(): void {
    if (this.#isClosed) throw new PlacardError('wrong_state', 'The client is closed; create another one.');
  }

  /**
   * A session whose token is valid. It starts one when there is none. In the background it renews an ageing one, and asks for
   * the configuration when that is older than `config_ttl_seconds`.
   */
  async current(): Promise<Session> {
    this.assertOpen();
    const session = this.#session;
    if (session === null || this.#leftMs(session) === 0) return this.#start();
    const isOld = this.#ageMs(session) > session.config.config_ttl_seconds * 1_000;
    if (isOld || this.#isEnding(session)) this.#start().catch(() => undefined);
    return session;
  }

  /** A session other than the one with this token, which the server has refused. */
  async insteadOf(token: string): Promise<Session> {
    const session = this.#session;
    // A call that is under way must not keep it either.
    if (session?.token === token) this.#session = { ...session, life: { ...session.life, lengthMs: 0 } };
    return this.current();
  }

  /** A session whose configuration is not older than the shortest time between two questions about a kill switch. */
  async rechecked(): Promise<Session> {
    const session = await this.current();
    return this.#ageMs(session) < RECHECK_MS ? session : this.#start();
  }

  /** Runs a call with a valid session, and once more with a new one when the server refuses the first. */
  async run<T>(call: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.current();
    try {
      return await call(session);
    } catch (error) {
      const isRefused =
        error instanceof PlacardError &&
        (error.code === 'invalid_session' || error.code === 'session_expired');
      if (!isRefused) throw error;
      return await call(await this.insteadOf(session.token));
    }
  }

  #leftMs(session: Session): number {
    return leftMs(this.#deps.platform.clock, session.life);
  }

  #ageMs(session: Session): number {
    return elapsedMs(this.#deps.platform.clock, session.configuredAt);
  }

  #isEnding(session: Session): boolean {
    return this.#leftMs(session) <= session.life.lengthMs * RENEWED_SHARE;
  }

  #start(): Promise<Session> {
    this.#starting ??= this.#open().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #open(): Promise<Session> {
    this.assertOpen();
    this.#keepWait();
    const { api, request, timeoutMs, onSession } = this.#deps;
    const call = { path: '/sdk/initialize', request, timeoutMs };
    const { body, sentAt, serverMs } = await api.post<SessionAnswer>(call).catch((error: unknown) => {
      this.#noteWait(error);
      throw error;
    });
    this.assertOpen();
    const old = this.#session;
    // The server counts caps and fraud limits by session. So a new configuration is no reason for a new session.
    const { token, life } =
      old !== null && !this.#isEnding(old)
        ? old
        : { token: body.session_token, life: spanUntil(body.session_expires_at, sentAt, serverMs) };
    const { config, placements } = body;
    this.#session = { token, life, config, placements, configuredAt: sentAt };
    onSession(this.#session);
    return this.#session;
  }

  #noteWait(error: unknown): void {
    if (!(error instanceof PlacardError) || error.retryAfterMs === null) return;
    const { clock } = this.#deps.platform;
    this.#refusal = { error, wait: { start: momentOf(clock), lengthMs: error.retryAfterMs } };
  }

  /** Throws the server's refusal again while its wait lasts. */
  #keepWait(): void {
    if (this.#refusal === null) return;
    const { error, wait } = this.#refusal;
    const waitMs = leftMs(this.#deps.platform.clock, wait);
    if (waitMs > 0) throw new PlacardError(error.code, error.message, waitMs);
  }
}
