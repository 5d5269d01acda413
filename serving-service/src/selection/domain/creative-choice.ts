import { randomIndex, type AdFormat, type Creative, type Random } from '@placard/service-kit/pure';

/** The client's screen in pixels. Null: not given. */
export interface Screen {
  readonly width: number | null;
  readonly height: number | null;
}

/** The screen of a request. 0 counts as not given. Contract: docs/contract/selection.md#screen. */
export function toScreen(width: number | null, height: number | null): Screen {
  return { width: width === 0 ? null : width, height: height === 0 ? null : height };
}

/**
 * Chooses one of the campaign's approved creatives in the requested format. Null: none fits, which is only possible for
 * banners. Contract: docs/contract/selection.md#banner-fit, docs/contract/selection.md#orientation,
 * docs/contract/selection.md#several-creatives.
 */
export function chooseCreative(
  creatives: readonly Creative[],
  format: AdFormat,
  screen: Screen,
  random: Random,
): Creative | null {
  const best = format === 'banner' ? bestBanners(creatives, screen) : bestOriented(creatives, screen);
  return best.length <= 1 ? (best[0] ?? null) : (best[randomIndex(random, best.length)] ?? null);
}

/** Whether a banner fits. An unknown size and a dimension that is not given fit. */
export function fitsScreen(creative: Creative, screen: Screen): boolean {
  return !exceeds(creative.width, screen.width) && !exceeds(creative.height, screen.height);
}

/** Whether a size is known and larger than a given limit. */
function exceeds(extent: number | null, limit: number | null): boolean {
  return extent !== null && limit !== null && extent > limit;
}

/** The widest banners that fit. If there are none, those without a size. Without a screen, all. */
function bestBanners(creatives: readonly Creative[], screen: Screen): readonly Creative[] {
  if (screen.width === null && screen.height === null) return creatives;
  let best: Creative[] = [];
  let bestWidth = -1;
  for (const creative of creatives) {
    if (!fitsScreen(creative, screen)) continue;
    const width = isSized(creative) ? creative.width : 0;
    if (width > bestWidth) {
      best = [creative];
      bestWidth = width;
    } else if (width === bestWidth) best.push(creative);
  }
  return best;
}

/**
 * Creatives with the orientation of the screen, otherwise those without a size, otherwise all. A square fits every
 * orientation.
 */
function bestOriented(creatives: readonly Creative[], screen: Screen): readonly Creative[] {
  const { width, height } = screen;
  if (width === null || height === null || creatives.length <= 1) return creatives;
  const sized = creatives.filter(isSized);
  const fitting = sized.filter((one) => (one.width - one.height) * (width - height) >= 0);
  if (fitting.length > 0) return fitting;
  const unsized = creatives.filter((one) => !isSized(one));
  return unsized.length > 0 ? unsized : creatives;
}

function isSized(creative: Creative): creative is Creative & { width: number; height: number } {
  return creative.width !== null && creative.height !== null;
}
