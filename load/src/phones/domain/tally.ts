/** How often something happened. `least` and `most` differ where an answer never came, so that the truth is not known. */
export interface Count {
  readonly least: number;
  readonly most: number;
}

/** The row of a report that a count belongs to, such as `app_x/home_banner/DE`. */
export type RowKey = string;

/** Counts by row and figure. A missing count is zero. */
export class Tally {
  readonly #rows = new Map<RowKey, Map<string, Count>>();

  /** Adds to both bounds; `most` differs from `least` when it is not known whether it happened. */
  add(row: RowKey, figure: string, least = 1, most = least): void {
    const figures = this.#rows.get(row) ?? new Map<string, Count>();
    const { least: low, most: high } = figures.get(figure) ?? ZERO;
    figures.set(figure, { least: low + least, most: high + most });
    this.#rows.set(row, figures);
  }

  /** The count of a figure in a row. */
  of(row: RowKey, figure: string): Count {
    return this.#rows.get(row)?.get(figure) ?? ZERO;
  }

  /** All counts. */
  *entries(): Generator<{ readonly row: RowKey; readonly figure: string; readonly count: Count }> {
    for (const [row, figures] of this.#rows) {
      for (const [figure, count] of figures) yield { row, figure, count };
    }
  }
}

const ZERO: Count = { least: 0, most: 0 };
