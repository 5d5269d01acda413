import { AppError, type ErrorCode } from '../process/errors.js';

/** The code of the {@link AppError} that a call fails with; null: it does not fail. Throws what is no such error. */
export async function codeOf(call: Promise<unknown> | (() => unknown)): Promise<ErrorCode | null> {
  try {
    await (typeof call === 'function' ? call() : call);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
