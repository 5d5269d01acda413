/** A fault that ends a start. Its message has the remedy in one sentence or several lines. Never a programming error. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Codes of a file system that cannot be written: it is full, read-only or failing. */
const FILE_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']);

/** The {@link StartError} itself, or a new one when a file of the data folder cannot be written; null for other faults. */
export function toStartError(error: unknown, dataDir: string): StartError | null {
  if (error instanceof StartError) return error;
  if (!FILE_CODES.has(codeOf(error) ?? '')) return null;
  return new StartError(
    `The data folder ${dataDir} cannot be written (${messageOf(error)}). ` +
      'Make room on its disk or choose another folder, and start again: npm start -- --data DIR',
  );
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
