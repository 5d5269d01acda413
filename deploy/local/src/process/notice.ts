const WARN_LEVEL = 40;
const ERROR_LEVEL = 50;

/** Most lines of one process that are shown in a window. The rest is in its log. */
const SHOWN_LINES_MAX = 20;
const WINDOW_MS = 10_000;

/**
 * The text to show for a service's log line: warnings and errors of the JSON log, and lines that are not JSON (a crash of the
 * interpreter). Null: none.
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

/** The text to show for a line of Postgres's log: faults that end a server or prevent its start. Null: none. */
export function postgresNotice(line: string): string | null {
  if (!/\b(?:FATAL|PANIC):/.test(line)) return null;
  const isOrdinary = /terminating connection|the database system is (?:starting up|shutting down)/.test(line);
  return isOrdinary ? null : line;
}

/** Shows nothing. Redis's log has no lines that need an action while it runs. */
export function noNotice(): string | null {
  return null;
}

/** Passes a bounded number of lines per window, and one note when there are more. */
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
