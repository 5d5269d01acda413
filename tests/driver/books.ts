/** Shapes of the command's machine-readable output (docs/contract/operator-interface.md#machine-readable-output). */

export interface Account {
  readonly kind: string;
  readonly id: string;
  readonly balance: string;
}

/** Every account and their sum, which is always zero. */
export interface Balances {
  readonly accounts: readonly Account[];
  readonly sum: string;
}

/** The verdict on the books, check by check. */
export interface Verification {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  /** The backlog when a wait ran out. */
  readonly waiting?: { readonly events: number; readonly oldest_at: string | null };
}

/** One row of a report: the `--by` keys and the figures. */
export interface ReportRow {
  readonly hour?: string;
  readonly day?: string;
  readonly publisher?: string;
  readonly app?: string;
  readonly placement?: string;
  readonly format?: string;
  readonly country?: string;
  readonly advertiser?: string;
  readonly campaign?: string;
  readonly creative?: string;
  readonly requests: number | null;
  readonly fills: number;
  readonly no_fills: Readonly<Record<string, number>> | null;
  readonly impressions: number;
  readonly clicks: number;
  readonly rewards: number;
  readonly fallbacks: number | null;
  readonly fallbacks_by_reason: Readonly<Record<string, number>> | null;
  readonly rejected: Readonly<Record<string, number>> | null;
  readonly errors: Readonly<Record<string, number>> | null;
  readonly spend: string;
  readonly revenue: string;
  readonly fill_rate: string | null;
  readonly show_rate: string | null;
  readonly ctr: string | null;
  readonly ecpm: string | null;
  /** By key, of the objects that have a name. */
  readonly names: Readonly<Record<string, string>>;
}

/** A report: the instant of its counts, its half-open range, and its rows. */
export interface Report {
  readonly as_of: string;
  readonly from: string;
  readonly to: string;
  /** The time zone of days. */
  readonly zone: string;
  readonly rows: readonly ReportRow[];
  /** The sum of the rows. `previous`: of the range before, in a comparison. */
  readonly total: Omit<ReportRow, 'names'> & { readonly previous?: Omit<ReportRow, 'names'> };
}

/** Converts an amount such as `499.997500000` to nano-units; throws unless it has exactly nine decimals. */
export function nanos(amount: string): bigint {
  if (!/^-?[0-9]+\.[0-9]{9}$/.test(amount)) throw new Error(`not an amount with nine decimals: ${amount}`);
  return BigInt(amount.replace('.', ''));
}
