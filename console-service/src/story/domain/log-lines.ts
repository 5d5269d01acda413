/** A line of a log, as the processes write it. */
export interface LogLine {
  /** When it was written, as it stands in the line. */
  readonly time: string;
  /** Name of the process. */
  readonly name: string;
  /** The number of pino: 20 debug, 30 info, 40 warn, 50 error, 60 fatal. */
  readonly level: number;
  readonly msg: string;
  /** All other fields. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Part of the names of the fields with ids. A text without it is no line about a request. */
const MARK = 'equestId"';

/** Whether a text may be a line about a request. It is cheap, so that large logs are read quickly. */
export function mayNameRequest(text: string): boolean {
  return text.includes(MARK);
}

/** Reads one line. A prefix before the JSON, as `kubectl logs --prefix` writes it, is skipped. Null: it is no such line. */
export function readLogLine(text: string): LogLine | null {
  try {
    const line = JSON.parse(text.slice(Math.max(0, text.indexOf('{')))) as Readonly<Record<string, unknown>>;
    const { time, name, level, msg, ...fields } = line;
    if (typeof time !== 'string' || typeof name !== 'string') return null;
    if (typeof level !== 'number' || typeof msg !== 'string') return null;
    return { time, name, level, msg, fields };
  } catch {
    return null;
  }
}

/**
 * The lines about a request: its own, those about the ad with that id, and all lines of the requests that report events of
 * that ad. In the order of time.
 */
export function linesAbout(requestId: string, lines: readonly LogLine[]): readonly LogLine[] {
  const requests = new Set<unknown>([requestId]);
  for (const { fields } of lines) {
    const { requestId: own, adRequestId } = fields;
    if (adRequestId === requestId && typeof own === 'string' && own !== '-') requests.add(own);
  }
  return lines
    .filter(({ fields }) => fields['adRequestId'] === requestId || requests.has(fields['requestId']))
    .sort((left, right) => (left.time < right.time ? -1 : Number(left.time > right.time)));
}
