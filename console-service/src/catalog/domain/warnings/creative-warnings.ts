import type { Fields } from '../catalog-object.js';
import type { Reason } from './reason.js';

const VIDEO_FILE = /\.(?:mp4|m4v|mov|webm)$/i;
const IMAGE_FILE = /\.(?:png|jpe?g|webp|gif)$/i;

/** Why a phone could not show a creative. */
export function creativeWarnings(creative: Fields): Reason[] {
  const { type, url } = creative;
  if (typeof url !== 'string') return [];
  const [file = ''] = url.split(/[?#]/);
  if (type === 'image' && VIDEO_FILE.test(file))
    return [['type', `is image, and ${file} looks like a video`]];
  if (type === 'video' && IMAGE_FILE.test(file))
    return [['type', `is video, and ${file} looks like an image`]];
  return [];
}
