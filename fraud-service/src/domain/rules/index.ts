/** Every fraud rule, one line each. Contract: docs/contract/fraud-rules.md#rules. */
export { adRequestsPerMinute } from './ad-requests-per-minute.js';
export { bannerImpressionsPerHour } from './banner-impressions-per-hour.js';
export { clickDelay } from './click-delay.js';
export { clickThroughRate } from './click-through-rate.js';
export { clicksPerHour } from './clicks-per-hour.js';
export { fullscreenImpressionsPerHour } from './fullscreen-impressions-per-hour.js';
export { sessionImpressionsPerHour } from './session-impressions-per-hour.js';
