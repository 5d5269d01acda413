import type { FullscreenView } from '../ads/fullscreen-ad.js';
import { PlacardError } from '../domain/errors.js';
import { drawCreative, onTap } from './creative.js';

/** Options of {@link fullscreenView}. */
export interface FullscreenViewOptions {
  /** Opens the advertiser's page. Default: a new tab. */
  readonly open?: (url: string) => void;
  /** Text of the button that closes the ad. Default: `×`. */
  readonly closeText?: string;
}

/** How long a rewarded picture is on screen before it is rewarded, in milliseconds. A video is rewarded at its end. */
const PICTURE_MS = 5_000;
const COVER = 'inset:0;z-index:2147483647;background:#000';
const BUTTON =
  'position:absolute;top:12px;right:12px;width:40px;height:40px;border:0;border-radius:20px;' +
  'background:#fffc;color:#000;font:24px/1 sans-serif;cursor:pointer';

/**
 * Draws interstitial and rewarded ads over the window, for `document.body`, or over another element, which must be positioned
 * (`position: relative` or `fixed`).
 */
export function fullscreenView(over: HTMLElement, options: FullscreenViewOptions = {}): FullscreenView {
  return async (impression) => {
    const { ad } = impression;
    const creative = await drawCreative(ad);
    const cover = document.createElement('div');
    cover.style.cssText = `position:${over === document.body ? 'fixed' : 'absolute'};${COVER}`;
    cover.setAttribute('role', 'dialog');
    cover.setAttribute('aria-label', 'Advertisement');
    const button = document.createElement('button');
    button.style.cssText = BUTTON;
    button.textContent = options.closeText ?? '×';
    button.setAttribute('aria-label', 'Close the ad');
    cover.append(creative, button);
    cover.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') button.click();
    });
    onTap(creative, impression, options.open);
    const closed = new Promise((resolve) => button.addEventListener('click', resolve, { once: true }));
    const focused = document.activeElement;
    over.append(cover);
    button.focus({ preventScroll: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await painted();
      await impression.shown();
      if (!impression.isShown) throw new PlacardError('creative_failed', `Ad ${ad.id} has expired.`);
      const complete = (): void => void impression.completed(true);
      creative.addEventListener('ended', complete);
      if (ad.creative_type === 'image') timer = setTimeout(complete, PICTURE_MS);
      await closed;
    } finally {
      clearTimeout(timer);
      cover.remove();
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    }
  };
}

/** Resolves once the browser has painted what was added. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}
