import { AppError, appError, toAppError } from '@placard/service-kit';
import { databaseFault, inTransaction, type Pool, type Queryable } from '@placard/service-kit/postgres';

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

/**
 * Makes a change in one transaction: committed when `work` resolves, rolled back when it throws. `work` runs its statements with
 * {@link runSql}. Errors: `unavailable` (the database failed), and those of `work`; what is no `AppError` becomes one.
 */
export async function inChange<T>(pool: Pool, work: (db: Queryable) => Promise<T>): Promise<T> {
  return orUnavailable(() =>
    inTransaction(pool, async (client) => {
      try {
        return await work(client);
      } catch (error) {
        throw toAppError(error);
      }
    }),
  );
}

/** Turns errors of the database into `unavailable`. An `AppError` passes unchanged. */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw appError('unavailable', `${databaseFault('The catalog database', cause)} Try again.`, { cause });
  }
}
