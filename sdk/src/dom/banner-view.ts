import type { BannerView } from '../ads/banner.js';
import type { NoAd } from '../ads/loader.js';
import { drawCreative, onTap } from './creative.js';

/** Options of {@link bannerView}. */
export interface BannerViewOptions {
  /** Opens the advertiser's page. Default: a new tab. */
  readonly open?: (url: string) => void;
  /** There is no ad; the place is empty. */
  readonly onNoAd?: (noAd: NoAd) => void;
}

/** Share of the banner that must be in view when it counts as shown. */
const SHOWN_SHARE = 0.5;

/** Draws banners into an element of the page. A banner counts as shown when half of it is in view. */
export function bannerView(place: HTMLElement, options: BannerViewOptions = {}): BannerView {
  let stop = (): void => undefined;
  return {
    draw: async (impression) => {
      const creative = await drawCreative(impression.ad);
      stop();
      onTap(creative, impression, options.open);
      place.replaceChildren(creative);
      const observer = new IntersectionObserver(
        (entries) => {
          if (!entries.some(isHalfSeen)) return;
          stop();
          void impression.shown();
        },
        { threshold: SHOWN_SHARE },
      );
      // An ad without height is wholly in view for the browser, which then tells nothing when it grows.
      const resized = new ResizeObserver(() => {
        observer.disconnect();
        observer.observe(creative);
      });
      stop = () => {
        observer.disconnect();
        resized.disconnect();
      };
      resized.observe(creative);
    },
    clear: (noAd) => {
      stop();
      place.replaceChildren();
      if (noAd !== null) options.onNoAd?.(noAd);
    },
  };
}

function isHalfSeen({
  intersectionRatio,
  intersectionRect: { width, height },
}: IntersectionObserverEntry): boolean {
  return intersectionRatio >= SHOWN_SHARE && width * height > 0;
}
