import type { Ad } from '../domain/wire.js';

/**
 * Creates the element of an ad's file and resolves once its first picture can be drawn. Rejects when it cannot. Videos are
 * muted, because browsers start others only after a tap.
 */
export async function drawCreative(ad: Ad): Promise<HTMLImageElement | HTMLVideoElement> {
  const element = ad.creative_type === 'video' ? videoOf(ad) : document.createElement('img');
  element.style.cssText = 'display:block;width:100%;height:100%;object-fit:contain;cursor:pointer';
  const isReady = ad.creative_type === 'video' ? 'loadeddata' : 'load';
  await new Promise<void>((resolve, reject) => {
    element.addEventListener(isReady, () => resolve(), { once: true });
    element.addEventListener('error', () => reject(new Error('the file cannot be drawn')), { once: true });
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

/** Opens the page of the advertiser in a new tab that cannot reach this one. */
export function openPage(url: string): void {
  window.open(url, '_blank', 'noopener,noreferrer');
}
