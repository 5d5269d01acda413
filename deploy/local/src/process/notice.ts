const WARN_LEVEL = 40;
const ERROR_LEVEL = 50;

/** Most lines of one process that are shown in a window; the rest stands in its log. */
const SHOWN_LINES_MAX = 20;
const WINDOW_MS = 10_000;

/**
 * What of a service's log line a person should see: warnings and errors of the JSON log, and anything that is not JSON
 * (a crash of the interpreter). Null: nothing.
 */
export function serviceNotice(line: string): string | null {
  if (!line.startsWith('{')) return line;
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { level, msg, err, reason } = entry as Partial<Record<string, unknown>>;
  if (typeof level !== 'number' || level < WARN_LEVEL) return null;
  const text = typeof msg === 'string' ? msg : '';
  const cause = [(err as { message?: unknown } | undefined)?.message, reason].find(
    (candidate) => typeof candidate === 'string' && candidate !== '' && !text.includes(candidate),
  );
  const tail = typeof cause === 'string' ? `: ${cause}` : '';
  return `${level >= ERROR_LEVEL ? 'error' : 'warning'}: ${text}${tail}`;
}

/** What of Postgres's log a person should see: what ends a server or keeps it from starting. */
export function postgresNotice(line: string): string | null {
  if (!/\b(?:FATAL|PANIC):/.test(line)) return null;
  const isOrdinary = /terminating connection|the database system is (?:starting up|shutting down)/.test(line);
  return isOrdinary ? null : line;
}

/** Redis's own log holds nothing that a person must act on while it runs. */
export function noNotice(): string | null {
  return null;
}

/** Lets so many lines a window through and says once that there are more. */
export function makeLimiter(
  show: (line: string) => void,
  more: string,
): (line: string, nowMs: number) => void {
  let startedAtMs = 0;
  let shownCount = 0;
  return (line, nowMs) => {
    if (nowMs - startedAtMs > WINDOW_MS) {
      startedAtMs = nowMs;
      shownCount = 0;
    }
    shownCount += 1;
    if (shownCount <= SHOWN_LINES_MAX) show(line);
    else if (shownCount === SHOWN_LINES_MAX + 1) show(more);
  };
}
