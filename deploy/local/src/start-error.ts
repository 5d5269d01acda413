/** A start that cannot go on, told in one sentence (or several lines) that says what to do. Never a programming error. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error such as `ENOENT`; null for anything else. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
