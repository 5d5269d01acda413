import { AppError, appError } from '@placard/service-kit';
import { databaseFault, type Queryable } from '@placard/service-kit/postgres';

/** Rows as Postgres returns them; each store says what is in them. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement; a failure of the database becomes `unavailable`. */
export async function runSql<T = Row>(
  db: Queryable,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  return orUnavailable(async () => {
    const result = await db.query(sql, [...values]);
    return result.rows as T[];
  });
}

/** What a database throws becomes `unavailable`; errors of our own pass. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw appError('unavailable', `${databaseFault('The catalog database', cause)} Try again.`, { cause });
  }
}
