/** A part of a report, for the terminal and for the page. */
export interface Section {
  readonly title: string;
  readonly tables: readonly Table[];
  /** Inline SVG; the terminal has none. */
  readonly charts: readonly string[];
  /** Sentences behind the tables. */
  readonly remarks: readonly string[];
}

/** Rows of texts below a head. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
