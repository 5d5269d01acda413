/** The limits of a campaign at one moment, in nano-units. Null: none. */
export interface Limits {
  readonly totalNanos: bigint | null;
  readonly dailyNanos: bigint | null;
  /** Funds of the advertiser. */
  readonly fundedNanos: bigint | null;
}

/** A sold ad. */
export interface SoldAd {
  readonly requestId: string;
  readonly advertiserId: string;
  readonly campaignId: string;
  /** UTC day of the fill, since 1970. */
  readonly day: number;
  readonly costNanos: bigint;
  /** Epoch ms. */
  readonly expiresAtMs: number;
  /** The highest limits under which its money was granted. */
  readonly limits: Limits;
}

interface Ad extends SoldAd {
  verdict: 'open' | 'accepted' | 'suspicious';
}

/** The expected budgets. Exactly the accepted ads and those that can still be shown count. */
export class BudgetModel {
  readonly #ads = new Map<string, Ad>();

  sell(ad: SoldAd): void {
    if (this.#ads.has(ad.requestId)) throw new Error(`${ad.requestId} was sold twice`);
    this.#ads.set(ad.requestId, { ...ad, verdict: 'open' });
  }

  judge(requestId: string, verdict: 'accepted' | 'suspicious'): void {
    const ad = this.#ads.get(requestId);
    if (ad?.verdict !== 'open') throw new Error(`${requestId} is judged ${verdict}, and was ${ad?.verdict}`);
    ad.verdict = verdict;
  }

  isJudged(requestId: string): boolean {
    return this.#ads.get(requestId)?.verdict !== 'open';
  }

  /** Every budget above the highest limit that was in force at a grant. */
  overspent(nowMs: number): string[] {
    const budgets = new Map<string, { nanos: bigint; limit: bigint | null }>();
    for (const ad of this.#ads.values()) {
      const counts = ad.verdict === 'accepted' || (ad.verdict === 'open' && nowMs < ad.expiresAtMs);
      if (!counts) continue;
      for (const [name, limit] of budgetsOf(ad)) {
        const { nanos, limit: highest } = budgets.get(name) ?? { nanos: 0n, limit: 0n };
        budgets.set(name, { nanos: nanos + ad.costNanos, limit: higher(highest, limit) });
      }
    }
    return [...budgets].flatMap(([name, { nanos, limit }]) =>
      limit !== null && nanos > limit ? [`${name}: ${nanos} of ${limit}`] : [],
    );
  }

  /** Expected rows of impressions: `request id: verdict`, sorted. */
  judged(): string[] {
    const judged = [...this.#ads.values()].filter(({ verdict }) => verdict !== 'open');
    return judged.map(({ requestId, verdict }) => `${requestId}: ${verdict}`).sort();
  }

  /** Accepted money by campaign and day: `campaign day: nano-units`, sorted. */
  accepted(): string[] {
    const sums = new Map<string, bigint>();
    for (const { verdict, campaignId, day, costNanos } of this.#ads.values()) {
      const key = `${campaignId} ${day}`;
      if (verdict === 'accepted') sums.set(key, (sums.get(key) ?? 0n) + costNanos);
    }
    return [...sums].map(([key, nanos]) => `${key}: ${nanos}`).sort();
  }
}

function budgetsOf({ campaignId, advertiserId, day, limits }: SoldAd): [string, bigint | null][] {
  return [
    [`total of ${campaignId}`, limits.totalNanos],
    [`day ${day} of ${campaignId}`, limits.dailyNanos],
    [`balance of ${advertiserId}`, limits.fundedNanos],
  ];
}

/** The higher of two limits; null: no limit. */
export function higher(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return null;
  return a > b ? a : b;
}
