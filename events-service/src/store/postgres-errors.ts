import { AppError, appError } from '@placard/service-kit';
import { databaseFault, sqlStateOf } from '@placard/service-kit/postgres';

const CHECK_VIOLATION = '23514';

/** Whether a row found no partition: a check violation that names no constraint. */
export function isMissingPartition(error: unknown): boolean {
  if (sqlStateOf(error) !== CHECK_VIOLATION) return false;
  return (error as { readonly constraint?: string }).constraint === undefined;
}

/** SQLSTATE classes of faults in the statement or the data. A later attempt fails too. */
const LASTING_CLASSES = new Set(['22', '23', '42']);

/** Whether the same statement may succeed later: the database is away, stopping or overloaded, or resolved a deadlock. */
export function isPassing(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === null || !LASTING_CLASSES.has(state.slice(0, 2));
}

/** Runs a statement. Throws `unavailable` when the database is away or takes no writes. */
export async function whileAvailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || !isPassing(error)) throw error;
    throw appError('unavailable', databaseFault('The database', error), { cause: error });
  }
}
