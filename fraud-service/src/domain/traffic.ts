import type { AdFormat, AppId, PlacementCode, RequestId, SessionId } from '@placard/service-kit/pure';

/** An ad request as the fraud rules see it. */
export interface AdRequest {
  readonly type: 'ad_request';
  readonly requestId: RequestId;
  readonly sessionId: SessionId;
  /** Epoch ms of its arrival. */
  readonly arrivedAtMs: number;
}

interface AdEvent {
  readonly requestId: RequestId;
  readonly sessionId: SessionId;
  /** Epoch ms; events may still come after it. */
  readonly sessionExpiresAtMs: number;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  /** Epoch ms of the event's arrival at events-service. */
  readonly arrivedAtMs: number;
}

/** An impression as the fraud rules see it. */
export interface Impression extends AdEvent {
  readonly type: 'impression';
  readonly format: AdFormat;
  /** Of the placement at the fill, in seconds; read for banners, where it is at least 1. */
  readonly bannerRefreshSeconds: number;
}

/** A click as the fraud rules see it. */
export interface Click extends AdEvent {
  readonly type: 'click';
  /** Epoch ms of the arrival of the impression that was clicked. */
  readonly impressionArrivedAtMs: number;
}

/** What JudgeEvents judges. */
export type EventToJudge = Impression | Click;

/** What the fraud rules judge. */
export type Traffic = AdRequest | EventToJudge;

/** The kind of what is judged. */
export type Subject = Traffic['type'];

/** The traffic of a kind. */
export type TrafficOf<S extends Subject> = Extract<Traffic, { readonly type: S }>;

/** How long after a session's end its events may still come, as the operator set it. */
export interface Lifetimes {
  /** From the fill to the ad's expiry. */
  readonly adTtlMs: number;
  /** From the ad's expiry to the last click or reward. */
  readonly eventWindowMs: number;
}
