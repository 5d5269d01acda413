import type { BuyerKey } from '../domain/report-rows.js';

/** A kind of objects that have a name. That of a placement is its id. */
export type NamedKind = 'publisher' | 'app' | 'placement' | 'advertiser' | 'campaign';

/** An object by kind and id. */
export interface ObjectName {
  readonly kind: NamedKind;
  readonly id: string;
}

/** The catalog, as reports need it. Every method may fail with `unavailable`. */
export interface ReportObjects {
  /** The names of objects, by `kind/id`. An object that never was in the catalog has none. */
  namesOf(objects: readonly ObjectName[]): Promise<ReadonlyMap<string, string>>;
  /** Those of the codes that a placement has or had, of these publishers and these apps. Null: of all. */
  placementCodes(
    codes: readonly string[],
    of: { readonly publishers: readonly string[] | null; readonly apps: readonly string[] | null },
  ): Promise<ReadonlySet<string>>;
  /**
   * All objects of a level with their parents. Filters by id; null: all. The objects of a level have the keys of that level
   * and above.
   */
  buyers(
    level: BuyerKey,
    filters: { readonly advertisers: readonly string[] | null; readonly campaigns: readonly string[] | null },
  ): Promise<readonly Readonly<Record<BuyerKey, string | null>>[]>;
}
