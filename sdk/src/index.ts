export { Placard, SDK_VERSION, type PlacardOptions } from './placard.js';
export { PlacardError, type ErrorCode } from './domain/errors.js';
export type { AdState } from './domain/ad-state.js';
export type { Clock, Moment, Span } from './domain/time.js';
export type { Ad, AdFormat, Config, FallbackReason, NoFillReason, PlacementConfig } from './domain/wire.js';
export type { FullscreenAd, FullscreenView, ShowOutcome } from './ads/fullscreen-ad.js';
export type { Banner, BannerView } from './ads/banner.js';
export type { Impression } from './ads/impression.js';
export type { LoadedAd, LoadOutcome, NoAd } from './ads/loader.js';
export type { CallRecord } from './io/api.js';
export type { EventOutcome } from './io/outbox.js';
export type { Session } from './io/sessions.js';
export type { Platform, Visibility } from './io/platform.js';
export {
  memoryStore,
  webStore,
  type EventStore,
  type QueuedAdEvent,
  type QueuedEvent,
  type QueuedFallback,
  type WebStorage,
} from './io/event-store.js';
