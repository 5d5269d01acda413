import { defineRule } from '../rule.js';
import { delayMs } from '../setting.js';

/**
 * The shortest time between the arrivals of an impression and of its click at the service. 0 disables the rule.
 * Contract: docs/contract/fraud-rules.md#click-delay.
 */
export const clickDelay = defineRule({
  code: 'click_delay',
  text: 'time from impression to click',
  section: 'click-delay',
  judges: ['click'],
  precedence: 1,
  settings: { MIN_CLICK_DELAY_MS: delayMs(1_000) },
  kind: 'plain',
  counter: null,
  isBroken(click, values) {
    const minMs = values.MIN_CLICK_DELAY_MS;
    return minMs > 0 && click.arrivedAtMs - click.impressionArrivedAtMs < minMs;
  },
});
