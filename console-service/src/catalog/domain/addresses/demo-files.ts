import type { CreativeType } from '@placard/service-kit/pure';

/** Facts about a demo file. */
export interface DemoFile {
  readonly type: CreativeType;
  /** Pixels. The same holds for `height`. */
  readonly width: number;
  readonly height: number;
  /** Null for an image. */
  readonly durationSeconds: number | null;
}

/** The path under which console-service serves the demo files. A creative's `url` may be this path and a name. */
export const DEMO_PATH = '/creatives/demo/';

/**
 * The files in `console-service/assets/demo`, by name. A file keeps its name and content, because an approval covers what
 * phones show: a new picture gets a new name. Contract: docs/contract/catalog.md#demo-files.
 */
export const DEMO_FILES: Readonly<Record<string, DemoFile>> = {
  'citytrips-320x100.png': image(320, 100),
  'galaxy-1080x1920.png': image(1080, 1920),
  'galaxy-1920x1080.png': image(1920, 1080),
  'galaxy-10s.mp4': video(720, 1280, 10),
  'galaxy-us-10s.mp4': video(1280, 720, 10),
  'lastminute-320x50.png': image(320, 50),
  'loyalty-320x50.png': image(320, 50),
  'spring-1080x1920.png': image(1080, 1920),
  'spring-320x50.png': image(320, 50),
  'spring-728x90.png': image(728, 90),
};

/** The demo file that an address names; null when it names none. */
export function demoFileAt(address: string): DemoFile | null {
  if (!address.startsWith(DEMO_PATH)) return null;
  const name = address.slice(DEMO_PATH.length);
  return Object.hasOwn(DEMO_FILES, name) ? (DEMO_FILES[name] ?? null) : null;
}

/** Why an address that begins with {@link DEMO_PATH} names no demo file; null when it names one. */
export function demoFileFault(address: string): string | null {
  if (demoFileAt(address) !== null) return null;
  return `must name a demo file after ${DEMO_PATH}: ${Object.keys(DEMO_FILES).join(', ')}`;
}

function image(width: number, height: number): DemoFile {
  return { type: 'image', width, height, durationSeconds: null };
}

function video(width: number, height: number, durationSeconds: number): DemoFile {
  return { type: 'video', width, height, durationSeconds };
}
