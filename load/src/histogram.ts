import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js';

/** Longest duration in microseconds. Longer ones count as this. */
const MICROS_MAX = 120_000_000;

/** Durations in microseconds, to three digits. */
export function makeHistogram(): Histogram {
  return build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: MICROS_MAX,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  });
}

/** Counts a duration. */
export function recordMs(histogram: Histogram, durationMs: number): void {
  histogram.recordValue(Math.min(MICROS_MAX, Math.max(1, Math.round(durationMs * 1_000))));
}

/** Encodes a histogram for messages between processes and for files. */
export function encodeHistogram(histogram: Histogram): string {
  return encodeIntoCompressedBase64(histogram);
}

/** Decodes the text of {@link encodeHistogram}. */
export function decodeHistogram(text: string): Histogram {
  return decodeFromCompressedBase64(text);
}

/** Merges encoded histograms. */
export function mergeHistograms(texts: readonly string[]): Histogram {
  const sum = makeHistogram();
  for (const text of texts) sum.add(decodeHistogram(text));
  return sum;
}

/** A percentile in milliseconds; 0 when nothing was counted. */
export function percentileMs(histogram: Histogram, percentile: number): number {
  return histogram.totalCount === 0 ? 0 : histogram.getValueAtPercentile(percentile) / 1_000;
}
