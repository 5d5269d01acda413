/** A part of a report, for the terminal and for the page. */
export interface Section {
  readonly title: string;
  readonly tables: readonly Table[];
  /** Inline SVG, for the page only. */
  readonly charts: readonly string[];
  /** Sentences after the tables. */
  readonly remarks: readonly string[];
}

/** Rows of texts with a head. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
