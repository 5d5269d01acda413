/** What an app was sold and what it showed of it. */
export interface AppShows {
  /** Its id, or `other` for all that are not named. */
  readonly app: string;
  /** Live fills. */
  readonly fills: bigint;
  /** Accepted live impressions. */
  readonly impressions: bigint;
}

/** Reads from the roll-ups how much of what was sold is shown. Errors: `unavailable`. */
export interface ShowStore {
  /** Since the start of the hour of `fromMs`: the `appsMax` apps with most fills, those first, and the others together. */
  since(fromMs: number, appsMax: number): Promise<readonly AppShows[]>;
}
