import { AppError, appError } from '@placard/service-kit';
import { databaseFault, type Queryable } from '@placard/service-kit/postgres';

/** A row that Postgres returns. Each store defines its type. */
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

/** Turns errors of the database into `unavailable`. An `AppError` passes unchanged. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw appError('unavailable', `${databaseFault('The catalog database', cause)} Try again.`, { cause });
  }
}
