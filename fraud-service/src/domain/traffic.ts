import type { AppId, PlacementCode, RequestId, SessionId } from '@placard/service-kit/pure';

/** An ad request, with the fields for the fraud rules. */
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
  /** Epoch ms. Events may still arrive after it. */
  readonly sessionExpiresAtMs: number;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  /** Epoch ms of the event's arrival at events-service. */
  readonly arrivedAtMs: number;
}

/** An impression, with the fields for the fraud rules. */
export interface Impression extends AdEvent {
  readonly type: 'impression';
  /** False: a full-screen format. */
  readonly isBanner: boolean;
  /** The refresh time of the placement at the fill, in seconds. It is used for banners, where it is at least 1. */
  readonly bannerRefreshSeconds: number;
}

/** A click, with the fields for the fraud rules. */
export interface Click extends AdEvent {
  readonly type: 'click';
  /** Epoch ms of the arrival of the impression. */
  readonly impressionArrivedAtMs: number;
}

/** The events that JudgeEvents judges. */
export type EventToJudge = Impression | Click;

/** The traffic that the fraud rules judge. */
export type Traffic = AdRequest | EventToJudge;

/** The kind of traffic. */
export type Subject = Traffic['type'];

/** The traffic of a kind. */
export type TrafficOf<S extends Subject> = Extract<Traffic, { readonly type: S }>;

/** The operator's lifetimes: how long after a session's end its events may still arrive. */
export interface Lifetimes {
  /** Time from the fill to the ad's expiry. */
  readonly adTtlMs: number;
  /** Time from the ad's expiry to the last click or reward. */
  readonly eventWindowMs: number;
}
