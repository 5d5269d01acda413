import type { CampaignId } from '@placard/service-kit/pure';
import type {
  ClosedFills,
  LeaseKey,
  LeaseReport,
  LeaseWant,
  PaceAnchor,
  WantJudgement,
} from '../domain/lease.js';

/** The reports, wants and peeks of one replica. */
export interface LeaseExchange {
  readonly run: string;
  /** The replica's clock, epoch ms. */
  readonly atMs: number;
  readonly reports: readonly LeaseReport[];
  readonly wants: readonly LeaseWant[];
  /** Judged like wants; nothing is granted. */
  readonly peeks: readonly LeaseWant[];
}

/** The answer to a want or a peek. */
export interface LeaseAnswer {
  readonly verdict: WantJudgement['verdict'];
  /** All grants of the lease, earlier ones included; 0 for peeks. */
  readonly grantedNanos: bigint;
  readonly isScarce: boolean;
  /** Paced campaigns only; null otherwise. */
  readonly anchor: PaceAnchor | null;
  readonly closedFills: ClosedFills | null;
  /** What is left of the campaign's budgets; null: no limit. */
  readonly totalLeftNanos: bigint | null;
  readonly dailyLeftNanos: bigint | null;
}

/** The answers, in the order of the wants and of the peeks. */
export interface LeaseAnswers {
  readonly wants: readonly LeaseAnswer[];
  readonly peeks: readonly LeaseAnswer[];
}

/** The result of a closing. */
export interface ClosedLeases {
  readonly leases: number;
  /** Held money that was not accepted, in nano-units. */
  readonly returnedNanos: bigint;
  /** Accepted money, in nano-units. */
  readonly spentNanos: bigint;
}

/** Held money of a campaign, in nano-units. */
export interface HeldMoney {
  readonly campaignId: CampaignId;
  readonly heldNanos: bigint;
  /** The part that is in slices of replicas that are gone. */
  readonly strandedNanos: bigint;
  readonly openLeases: number;
  /** Leases that should be closed by now. */
  readonly overdueLeases: number;
}

/** Budget leases and their sums. Every method is one transaction, safe to repeat. Errors: `unavailable`. */
export interface LeaseStore {
  /** Takes the reports, then judges wants in their order, then peeks. */
  exchange(exchange: LeaseExchange, nowMs: number): Promise<LeaseAnswers>;
  /** Gives the price of suspicious impressions back to the sums. */
  releaseSuspicious(keys: readonly LeaseKey[]): Promise<void>;
  /** Closes at most `countMax` leases whose last ad was over before `overBeforeMs`. */
  closeDue(due: {
    readonly overBeforeMs: number;
    readonly nowMs: number;
    readonly countMax: number;
  }): Promise<ClosedLeases>;
  /** Held money by campaign. A replica is gone when it was not seen since `goneBeforeMs`. */
  held(at: {
    readonly goneBeforeMs: number;
    readonly overdueBeforeMs: number;
  }): Promise<readonly HeldMoney[]>;
  /** Deletes leases that were closed, and replicas that were last seen, at least `keptSeconds` ago. */
  prune(keptSeconds: number): Promise<void>;
}
