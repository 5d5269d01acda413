import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** What the metrics of a running product showed before and during an outage. */
export interface Recording {
  /** The outage in words. */
  readonly what: string;
  /** Seconds between two scrapes. */
  readonly everySeconds: number;
  /** When the first scrape was made, epoch seconds. */
  readonly startedAt: number;
  /** Index of the last scrape before the outage. */
  readonly brokenFrom: number;
  /** The values of each series by scrape; null: the series was not there. */
  readonly series: ReadonlyMap<string, readonly (number | null)[]>;
}

/** A recording as a file: values as text, with `v*3` for three times the same and `_` for none. */
interface RecordingFile extends Omit<Recording, 'series'> {
  readonly series: Readonly<Record<string, string>>;
}

const FOLDER = new URL('./recordings/', import.meta.url);
const NONE = '_';

/** Names of the recorded outages. */
export function recordedNames(): readonly string[] {
  return readdirSync(FOLDER).map((file) => file.replace('.json', ''));
}

/** Reads a recording of this repository. */
export function readRecording(name: string): Recording {
  const file = JSON.parse(readFileSync(fileOf(name), 'utf8')) as RecordingFile;
  const series = new Map(
    Object.entries(file.series).map(([key, text]) => [key, text.split(' ').flatMap(read)]),
  );
  return { ...file, series };
}

/** Replaces a recording of this repository. */
export function writeRecording(name: string, recording: Recording): void {
  const series = Object.fromEntries(
    [...recording.series]
      .sort(([one], [other]) => one.localeCompare(other, 'en'))
      .map(([key, values]) => [key, write(values)]),
  );
  writeFileSync(fileOf(name), `${JSON.stringify({ ...recording, series }, null, 2)}\n`);
}

function fileOf(name: string): URL {
  return new URL(`${name}.json`, FOLDER);
}

function read(token: string): readonly (number | null)[] {
  const [value = '', times = '1'] = token.split('*');
  return new Array<number | null>(Number(times)).fill(value === NONE ? null : Number(value));
}

function write(values: readonly (number | null)[]): string {
  const runs: { readonly value: number | null; times: number }[] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last !== undefined && Object.is(last.value, value)) last.times += 1;
    else runs.push({ value, times: 1 });
  }
  return runs
    .map(({ value, times }) => `${value === null ? NONE : String(value)}${times > 1 ? `*${times}` : ''}`)
    .join(' ');
}
