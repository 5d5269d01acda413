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
  let observer: IntersectionObserver | null = null;
  return {
    draw: async (impression) => {
      const creative = await drawCreative(impression.ad);
      observer?.disconnect();
      onTap(creative, impression, options.open);
      place.replaceChildren(creative);
      observer = new IntersectionObserver(
        (entries) => {
          if (!entries.some(({ intersectionRatio }) => intersectionRatio >= SHOWN_SHARE)) return;
          observer?.disconnect();
          void impression.shown();
        },
        { threshold: SHOWN_SHARE },
      );
      observer.observe(creative);
    },
    clear: (noAd) => {
      observer?.disconnect();
      place.replaceChildren();
      if (noAd !== null) options.onNoAd?.(noAd);
    },
  };
}
