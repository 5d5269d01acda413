/** The reason for which a campaign is skipped: a budget without headroom, ahead of its plan, or no answer to a call. */
export type SkipReason = 'total' | 'day' | 'balance' | 'pace' | 'unknown';
