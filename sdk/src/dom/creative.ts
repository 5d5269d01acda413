import type { Impression } from '../ads/impression.js';
import { PlacardError } from '../domain/errors.js';
import type { Ad } from '../domain/wire.js';

/** Longest time until the downloaded file of an ad can be drawn, in milliseconds. */
const DRAW_MS_MAX = 10_000;

/**
 * Creates the element of an ad's file and resolves once its first picture can be drawn. Rejects with `creative_failed` when it
 * cannot, or not in 10 seconds. Videos are muted, because browsers start others only after a tap.
 */
export async function drawCreative(ad: Ad): Promise<HTMLImageElement | HTMLVideoElement> {
  const element = ad.creative_type === 'video' ? videoOf(ad) : document.createElement('img');
  element.style.cssText = 'display:block;width:100%;height:100%;object-fit:contain;cursor:pointer';
  element.setAttribute('role', 'link');
  element.setAttribute('aria-label', 'Advertisement');
  element.tabIndex = 0;
  const isReady = ad.creative_type === 'video' ? 'loadeddata' : 'load';
  await new Promise<void>((resolve, reject) => {
    const fail = (): void =>
      reject(new PlacardError('creative_failed', `The file of ad ${ad.id} cannot be drawn.`));
    setTimeout(fail, DRAW_MS_MAX);
    element.addEventListener(isReady, () => resolve(), { once: true });
    element.addEventListener('error', fail, { once: true });
    element.src = ad.creative_url;
  });
  return element;
}

function videoOf({ format }: Ad): HTMLVideoElement {
  const video = document.createElement('video');
  video.muted = true;
  video.autoplay = true;
  video.playsInline = true;
  video.loop = format !== 'rewarded';
  return video;
}

/**
 * Reports the click and opens the advertiser's page when the user taps the ad, or presses Enter on it. Without `open` it is a
 * new tab that cannot reach this one.
 */
export function onTap(creative: HTMLElement, impression: Impression, open = openPage): void {
  creative.addEventListener('click', () => void impression.clicked().then(open));
  creative.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') creative.click();
  });
}

function openPage(url: string): void {
  window.open(url, '_blank', 'noopener,noreferrer');
}
