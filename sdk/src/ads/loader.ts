import { PlacardError } from '../domain/errors.js';
import { spanUntil, type Span } from '../domain/time.js';
import type { Ad, AdAnswer, FallbackReason, NoFillReason, PlacementConfig } from '../domain/wire.js';
import type { Api } from '../io/api.js';
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
  #isClosed = false;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
  }

  /** Requests no ad from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Requests an ad for a placement and downloads its file. Throws only for a wrong call, before the request:
   * `placement_not_found` for a code that the app does not have, `format_mismatch` for a placement of the other kind, and
   * `wrong_state` for a closed client.
   */
  async load(code: string, kind: AdKind): Promise<LoadOutcome> {
    if (this.#isClosed) {
      throw new PlacardError('wrong_state', 'The client is closed; create another one to load ads.');
    }
    let placement: PlacementConfig | null = null;
    try {
      const session = await this.#openSession(code);
      placement = placementOf(session, code, kind);
      if (!session.config.serving_enabled || !placement.service_enabled) {
        return await this.#noAd(placement, {
          reason: 'disabled',
          noFill: null,
          requestId: null,
          error: null,
        });
      }
      return await this.#request(placement);
    } catch (error) {
      if (!(error instanceof PlacardError) || error.code === 'placement_not_found') throw error;
      // The server's own mismatch means that the format has changed since the session began: then there is no ad.
      if (error.code === 'format_mismatch' && placement === null) throw error;
      const reason = error.code === 'timeout' ? 'timeout' : 'error';
      return this.#noAd(placement, { reason, noFill: null, requestId: null, error });
    }
  }

  /** A session whose kill switches are fresh enough to obey. */
  async #openSession(code: string): Promise<Session> {
    const { sessions } = this.#deps;
    const session = await sessions.current();
    const isOn = session.config.serving_enabled && placementOf(session, code).service_enabled;
    return isOn ? session : sessions.rechecked();
  }

  async #request(placement: PlacementConfig): Promise<LoadOutcome> {
    const { api, sessions, request, appKey } = this.#deps;
    const { code, format, request_timeout_ms: timeoutMs } = placement;
    const { body, sentAt, serverMs } = await sessions.run(({ token }) =>
      api.post<AdAnswer>({
        path: '/ads/request',
        request: { ...request, app_key: appKey, placement: code, format, session_token: token },
        timeoutMs,
      }),
    );
    const requestId = body.request_id;
    if (body.status === 'no_fill') {
      return this.#noAd(placement, { reason: 'no_fill', noFill: body.reason, requestId, error: null });
    }
    const { ad } = body;
    const loaded = { requestId, ad, life: spanUntil(ad.expires_at, sentAt, serverMs) };
    try {
      await this.#download(ad.creative_url);
      return { loaded, noAd: null };
    } catch {
      const error = new PlacardError('creative_failed', `The file of ad ${ad.id} could not be loaded.`);
      return this.#noAd(placement, { reason: 'creative_failed', noFill: null, requestId, error });
    }
  }

  async #download(url: string): Promise<void> {
    const { platform } = this.#deps;
    const stop = new AbortController();
    const cancel = platform.after(DOWNLOAD_MS_MAX, () => stop.abort());
    try {
      await platform.download(url, stop.signal);
    } finally {
      cancel();
    }
  }

  /** Reports the fallback of an ad that could not be drawn. */
  async failed(code: string, loaded: LoadedAd): Promise<NoAd> {
    const session = this.#deps.sessions.last;
    const placement = session === null ? null : placementOf(session, code);
    const error = new PlacardError('creative_failed', `Ad ${loaded.ad.id} could not be drawn.`);
    const { requestId } = loaded;
    const { noAd } = await this.#noAd(placement, {
      reason: 'creative_failed',
      noFill: null,
      requestId,
      error,
    });
    return noAd;
  }

  async #noAd(
    placement: PlacementConfig | null,
    why: Omit<NoAd, 'partnerAdUnitId'>,
  ): Promise<{ readonly loaded: null; readonly noAd: NoAd }> {
    const { sessions, outbox } = this.#deps;
    const isAllowed = sessions.last?.config.fallback_enabled === true;
    const hasPartner = isAllowed && placement?.fallback_provider === 'partner';
    if (hasPartner) {
      const reason = why.reason === 'disabled' ? 'no_fill' : why.reason;
      await outbox.add({ kind: 'fallback', placement: placement.code, reason });
    }
    return {
      loaded: null,
      noAd: { ...why, partnerAdUnitId: hasPartner ? placement.partner_ad_unit_id : null },
    };
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
