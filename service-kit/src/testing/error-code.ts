import { AppError, type ErrorCode } from '../process/errors.js';

/** The code of the {@link AppError} with which a call fails. Null: the call does not fail. Other errors are thrown. */
export async function codeOf(call: Promise<unknown> | (() => unknown)): Promise<ErrorCode | null> {
  try {
    await (typeof call === 'function' ? call() : call);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
