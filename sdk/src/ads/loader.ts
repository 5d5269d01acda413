import { PlacardError } from '../domain/errors.js';
import { leftMs, spanUntil, type Span } from '../domain/time.js';
import type { Ad, AdAnswer, FallbackReason, NoFillReason, PlacementConfig } from '../domain/wire.js';
import type { Api, Reply } from '../io/api.js';
import { Listeners } from '../io/listeners.js';
import type { Outbox } from '../io/outbox.js';
import type { Platform } from '../io/platform.js';
import type { Session, Sessions } from '../io/sessions.js';

/** An ad whose file is downloaded. */
export interface LoadedAd {
  readonly requestId: string;
  readonly ad: Ad;
  /** The time in which it may be shown. */
  readonly life: Span;
}

/** There is no ad. */
export interface NoAd {
  readonly reason: FallbackReason;
  /** The server's reason; null when the server did not answer a no-fill. */
  readonly noFill: NoFillReason | null;
  /** The request's id, for questions to the operator; null when no answer arrived. */
  readonly requestId: string | null;
  /** What failed; null for a no-fill and a kill switch. */
  readonly error: PlacardError | null;
  /** The unit at the other network that the app should use now; null when it should use none. */
  readonly partnerAdUnitId: string | null;
}

/** Why there is no ad. */
type Reason = Omit<NoAd, 'partnerAdUnitId'>;

/** What an app shows ads with. */
export type AdKind = 'banner' | 'fullscreen';

/** Outcome of a load: one of the two is null. */
export type LoadOutcome =
  { readonly loaded: LoadedAd; readonly noAd: null } | { readonly loaded: null; readonly noAd: NoAd };

/** Dependencies of {@link Loader}. */
export interface LoaderDeps {
  readonly api: Api;
  readonly sessions: Sessions;
  readonly outbox: Outbox;
  readonly platform: Platform;
  /** Members of every ad request: language, versions, screen, test mode. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly appKey: string;
}

/** Longest download of an ad's file, in milliseconds. */
const DOWNLOAD_MS_MAX = 30_000;

/** Asks for ads. What fails becomes a {@link NoAd}, and the fallback that follows is reported. */
export class Loader {
  readonly #deps: LoaderDeps;
  readonly #closing = new Listeners<void>();
  #isClosed = false;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
  }

  /** Whether the client is closed: no ad is loaded or shown any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Requests no ad from now on, and ends the timers of all ads. */
  close(): void {
    this.#isClosed = true;
    this.#closing.call();
  }

  /** Calls back when the client is closed, until the returned function is called. */
  onClose(closed: () => void): () => void {
    return this.#closing.add(closed);
  }

  /** Calls back once: after `ms`, or when the client is closed before. The returned function prevents it. */
  after(ms: number, then: () => void): () => void {
    const cancel = (): void => {
      stop();
      forget();
    };
    const end = (): void => {
      cancel();
      then();
    };
    const stop = this.#deps.platform.after(ms, end);
    const forget = this.onClose(end);
    return cancel;
  }

  /**
   * Requests an ad for a placement and downloads its file. Throws only for a wrong call: `placement_not_found` for a code that
   * the app does not have, `format_mismatch` for a placement of the other kind, and `wrong_state` for a client that is closed,
   * or is closed meanwhile.
   */
  async load(code: string, kind: AdKind): Promise<LoadOutcome> {
    this.#refuseClosed();
    let placement: PlacementConfig | null = null;
    let why: Reason = { reason: 'disabled', noFill: null, requestId: null, error: null };
    try {
      const session = await this.#openSession(code);
      placement = placementOf(session, code, kind);
      if (session.config.serving_enabled && placement.service_enabled) {
        const { body, sentAt, serverMs } = await this.#request(placement);
        why = { ...why, requestId: body.request_id };
        if (body.status === 'fill') {
          const { request_id: requestId, ad } = body;
          const loaded = { requestId, ad, life: spanUntil(ad.expires_at, sentAt, serverMs) };
          await this.#download(loaded);
          return { loaded, noAd: null };
        }
        // The answer is newer than the configuration.
        placement = { ...placement, fallback_provider: body.fallback };
        why = { ...why, reason: 'no_fill', noFill: body.reason };
      }
    } catch (error) {
      if (!(error instanceof PlacardError) || error.code === 'placement_not_found') throw error;
      const { code: fault } = error;
      // The server's own mismatch means that the format has changed since the session began: then there is no ad.
      if (fault === 'format_mismatch' && placement === null) throw error;
      why = { ...why, reason: fault === 'timeout' || fault === 'creative_failed' ? fault : 'error', error };
    }
    this.#refuseClosed();
    return { loaded: null, noAd: await this.#noAd(placement, why) };
  }

  #refuseClosed(): void {
    if (!this.#isClosed) return;
    throw new PlacardError('wrong_state', 'The client is closed; create another one to load ads.');
  }

  /** A session whose kill switches are fresh enough to obey. */
  async #openSession(code: string): Promise<Session> {
    const { sessions } = this.#deps;
    const session = await sessions.current();
    const isOn = session.config.serving_enabled && placementOf(session, code).service_enabled;
    return isOn ? session : sessions.rechecked();
  }

  #request({ code, format, request_timeout_ms: timeoutMs }: PlacementConfig): Promise<Reply<AdAnswer>> {
    this.#refuseClosed();
    const { api, sessions, request, appKey } = this.#deps;
    return sessions.run(({ token }) =>
      api.post<AdAnswer>({
        path: '/ads/request',
        request: { ...request, app_key: appKey, placement: code, format, session_token: token },
        timeoutMs,
      }),
    );
  }

  /** Downloads the file of an ad, also where a platform does not heed the signal. Throws when the ad cannot be shown then. */
  async #download({ ad, life }: LoadedAd): Promise<void> {
    this.#refuseClosed();
    const { platform } = this.#deps;
    const stop = new AbortController();
    let cancel = (): void => undefined;
    const ended = new Promise<never>((_, reject) => {
      cancel = this.after(DOWNLOAD_MS_MAX, () => {
        stop.abort();
        reject(new Error('stopped'));
      });
    });
    try {
      await Promise.race([ended, platform.download(ad, stop.signal)]);
    } catch {
      throw new PlacardError('creative_failed', `The file of ad ${ad.id} could not be loaded.`);
    } finally {
      cancel();
    }
    this.#refuseClosed();
    if (leftMs(platform.clock, life) > 0) return;
    throw new PlacardError('timeout', `Ad ${ad.id} expired before it was loaded.`);
  }

  /** Reports the fallback of an ad that could not be drawn. */
  failed(code: string, { ad, requestId }: LoadedAd): Promise<NoAd> {
    const placement = this.#deps.sessions.last?.placements.find((one) => one.code === code) ?? null;
    const error = new PlacardError('creative_failed', `Ad ${ad.id} could not be drawn.`);
    return this.#noAd(placement, { reason: 'creative_failed', noFill: null, requestId, error });
  }

  async #noAd(placement: PlacementConfig | null, why: Reason): Promise<NoAd> {
    const { sessions, outbox } = this.#deps;
    const isAllowed = sessions.last?.config.fallback_enabled === true;
    const hasPartner = isAllowed && placement?.fallback_provider === 'partner';
    if (hasPartner) {
      const reason = why.reason === 'disabled' ? 'no_fill' : why.reason;
      await outbox.add({ kind: 'fallback', placement: placement.code, reason });
    }
    return { ...why, partnerAdUnitId: hasPartner ? placement.partner_ad_unit_id : null };
  }
}

/** The placement with this code. Throws when there is none, or when ads of this kind do not fit its format. */
function placementOf({ placements }: Session, code: string, kind?: AdKind): PlacementConfig {
  const placement = placements.find((one) => one.code === code);
  if (placement !== undefined) {
    const fitting = placement.format === 'banner' ? 'banner' : 'fullscreen';
    if (kind === undefined || kind === fitting) return placement;
    const message = `Placement ${code} is of format ${placement.format}; use placard.${fitting}().`;
    throw new PlacardError('format_mismatch', message);
  }
  const known = placements.map((one) => one.code).join(', ');
  throw new PlacardError('placement_not_found', `The app has no placement ${code}. It has: ${known}.`);
}
