import type { Recording } from './recording.js';

/** How long the two parts of a recording last when they are replayed, in seconds. */
export interface Stretch {
  /** The healthy time before the outage. */
  readonly beforeSeconds: number;
  readonly duringSeconds: number;
  /** Seconds between two samples. */
  readonly stepSeconds: number;
}

/** Time without any sample before a replay, so that a start of a process before it has an instant above 0. */
const LEAD_SECONDS = 7_200;

const COUNTER = /_(total|count|sum|bucket)$/;
const INSTANT = /_(timestamp|start_time)_seconds$/;
const AGE = /_(age|oldest)_seconds$/;

/** When the outage of a replay begins and ends, in seconds of the replay. */
export function replayTimes({ beforeSeconds, duringSeconds }: Omit<Stretch, 'stepSeconds'>): {
  readonly brokenAt: number;
  readonly endAt: number;
} {
  return { brokenAt: LEAD_SECONDS + beforeSeconds, endAt: LEAD_SECONDS + beforeSeconds + duringSeconds };
}

/**
 * The samples of one series of a recording that lasts longer, from instant 0 on; null: none. What happened in a second
 * happens in each second of the longer time, so rates stay as they were. Ages grow with the outage; other gauges keep their
 * values for longer.
 */
export function replaySeries(
  recording: Recording,
  key: string,
  stretch: Stretch,
): readonly (number | null)[] {
  const values = recording.series.get(key) ?? [];
  const name = key.slice(0, key.indexOf('{'));
  const scale = scaleOf(recording, values.length, stretch);
  const out = COUNTER.test(name) ? counted(values, scale) : shown(values, name, { recording, scale });
  const { endAt } = replayTimes(stretch);
  const samples: (number | null)[] = [];
  for (let at = 0; at <= endAt; at += stretch.stepSeconds)
    samples.push(at < LEAD_SECONDS ? null : out(scale.toPosition(at)));
  return samples;
}

interface Scale {
  /** Times that a scrape interval is longer in the replay, at a position. */
  factor(position: number): number;
  /** Instant of a replay → position between scrapes. */
  toPosition(at: number): number;
  /** Position → instant of the replay. */
  toInstant(position: number): number;
  readonly brokenFrom: number;
}

function scaleOf({ everySeconds, brokenFrom }: Recording, count: number, stretch: Stretch): Scale {
  const { brokenAt } = replayTimes(stretch);
  const before = stretch.beforeSeconds / (brokenFrom * everySeconds);
  const during = stretch.duringSeconds / ((count - 1 - brokenFrom) * everySeconds);
  return {
    brokenFrom,
    factor: (position) => (position < brokenFrom ? before : during),
    toPosition: (at) => {
      const position =
        at < brokenAt
          ? (at - LEAD_SECONDS) / (before * everySeconds)
          : brokenFrom + (at - brokenAt) / (during * everySeconds);
      return Math.min(position, count - 1);
    },
    toInstant: (position) =>
      position < 0
        ? LEAD_SECONDS + position * everySeconds
        : position < brokenFrom
          ? LEAD_SECONDS + position * before * everySeconds
          : brokenAt + (position - brokenFrom) * during * everySeconds,
  };
}

/** A counter: each increase happens as many times as its interval is longer. A restart of its process sets it back. */
function counted(values: readonly (number | null)[], scale: Scale): (position: number) => number | null {
  const totals: (number | null)[] = [];
  let last: { readonly value: number; readonly total: number } | null = null;
  values.forEach((value, index) => {
    if (value !== null) {
      const isGoingOn = last !== null && value >= last.value;
      const total = isGoingOn ? last!.total + (value - last!.value) * scale.factor(index - 1) : value;
      last = { value, total };
    }
    totals.push(value === null || last === null ? null : last.total);
  });
  return (position) => {
    const index = Math.floor(position);
    const [from, to] = [totals[index] ?? null, totals[index + 1] ?? null];
    if (from === null) return null;
    return to === null || to < from ? from : from + (to - from) * (position - index);
  };
}

function shown(
  values: readonly (number | null)[],
  name: string,
  { recording, scale }: { readonly recording: Recording; readonly scale: Scale },
): (position: number) => number | null {
  const { startedAt, everySeconds, brokenFrom } = recording;
  return (position) => {
    const value = values[Math.floor(position)] ?? null;
    if (value === null) return null;
    if (INSTANT.test(name) && value !== 0)
      return Math.max(1, scale.toInstant((value - startedAt) / everySeconds));
    if (!AGE.test(name) || position < brokenFrom) return value;
    const atBreak = values[brokenFrom] ?? 0;
    return Math.max(0, atBreak + (value - atBreak) * scale.factor(position));
  };
}
