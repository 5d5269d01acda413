import { PlacardError } from '../domain/errors.js';
import { elapsedMs, leftMs, spanUntil, type Moment, type Span } from '../domain/time.js';
import type { Config, PlacementConfig, SessionAnswer } from '../domain/wire.js';
import type { Api } from './api.js';
import type { Platform } from './platform.js';

/** A started session. */
export interface Session {
  readonly token: string;
  readonly config: Config;
  readonly placements: readonly PlacementConfig[];
  readonly startedAt: Moment;
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

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  /** The last session; null before the first. Its token may have expired. */
  get last(): Session | null {
    return this.#session;
  }

  /**
   * A session whose token is valid. It starts one when there is none. It renews an ageing one in the background, and also one
   * whose configuration is older than `config_ttl_seconds`.
   */
  async current(): Promise<Session> {
    const session = this.#session;
    if (session === null || this.#leftMs(session) === 0) return this.#start();
    if (this.#isAgeing(session)) this.#start().catch(() => undefined);
    return session;
  }

  /** A session other than the one with this token, which the server has refused. */
  async insteadOf(token: string): Promise<Session> {
    return this.#session?.token === token ? this.#start() : this.current();
  }

  /** A session whose configuration is not older than the shortest time between two questions about a kill switch. */
  async rechecked(): Promise<Session> {
    const session = await this.current();
    return elapsedMs(this.#deps.platform.clock, session.startedAt) < RECHECK_MS ? session : this.#start();
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

  #isAgeing(session: Session): boolean {
    const ageMs = elapsedMs(this.#deps.platform.clock, session.startedAt);
    return (
      this.#leftMs(session) < session.life.lengthMs * RENEWED_SHARE ||
      ageMs > session.config.config_ttl_seconds * 1_000
    );
  }

  #start(): Promise<Session> {
    this.#starting ??= this.#open().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #open(): Promise<Session> {
    const { api, request, timeoutMs, onSession } = this.#deps;
    const { body, sentAt, serverMs } = await api.post<SessionAnswer>({
      path: '/sdk/initialize',
      request,
      timeoutMs,
      sign: 'session_token',
    });
    this.#session = {
      token: body.session_token,
      config: body.config,
      placements: body.placements,
      startedAt: sentAt,
      life: spanUntil(body.session_expires_at, sentAt, serverMs),
    };
    onSession(this.#session);
    return this.#session;
  }
}
