import type { CampaignId } from '@placard/service-kit/pure';
import type {
  ClosedFills,
  LeaseKey,
  LeaseReport,
  LeaseWant,
  PaceAnchor,
  WantJudgement,
} from '../domain/lease.js';

/** What one replica reports of its leases, wants and looks at, together. */
export interface LeaseExchange {
  readonly run: string;
  /** The replica's clock, epoch ms. */
  readonly atMs: number;
  readonly reports: readonly LeaseReport[];
  readonly wants: readonly LeaseWant[];
  /** Judged like wants; nothing is granted. */
  readonly peeks: readonly LeaseWant[];
}

/** What becomes of a want or a peek. */
export interface LeaseAnswer {
  readonly verdict: WantJudgement['verdict'];
  /** All grants of the lease, earlier ones included; 0 for peeks. */
  readonly grantedNanos: bigint;
  readonly isScarce: boolean;
  /** Paced campaigns only; null otherwise. */
  readonly anchor: PaceAnchor | null;
  readonly closedFills: ClosedFills | null;
}

/** The answers, in the order of the wants and of the peeks. */
export interface LeaseAnswers {
  readonly wants: readonly LeaseAnswer[];
  readonly peeks: readonly LeaseAnswer[];
}

/** What a closing came to. */
export interface ClosedLeases {
  readonly leases: number;
  /** What was held and not accepted, in nano-units. */
  readonly returnedNanos: bigint;
  /** What was accepted, in nano-units. */
  readonly spentNanos: bigint;
}

/** What a campaign holds of money that is not spent, in nano-units. */
export interface HeldMoney {
  readonly campaignId: CampaignId;
  readonly heldNanos: bigint;
  /** Of it, slices in hand of replicas that are gone. */
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
  /** By campaign. A replica counts as gone when it was not seen since `goneBeforeMs`. */
  held(at: {
    readonly goneBeforeMs: number;
    readonly overdueBeforeMs: number;
  }): Promise<readonly HeldMoney[]>;
  /** Forgets what was closed, and replicas that were last seen, so many seconds ago. */
  prune(keptSeconds: number): Promise<void>;
}
