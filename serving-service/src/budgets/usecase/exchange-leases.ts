import { minuteOf, SECOND_MS, type CampaignId, type Clock, type Nanos } from '@placard/service-kit/pure';
import type { SpendClient } from '../../clients/spend-client.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import type { Lease } from '../domain/lease.js';
import { toLeaseWant, type LeaseAnswer, type LeaseVerdict, type LeaseWant } from '../domain/lease-want.js';
import type { SentReport, Wallet } from '../domain/wallet.js';
import type { HeadroomMemory } from './headroom-memory.js';
import { OpenWants, type AskOutcome, type OpenWant } from './open-want.js';

/** Bounds of one exchange. */
const REPORTS_MAX = 10_000;
const WANTS_MAX = 2_000;
const PEEKS_MAX = 4_000;
/** Skipped campaigns with a peek in one second. */
export const SKIPPED_PEEKS_MAX = 2_048;

/** Time for which wants of requests are collected. */
const GATHER_MS = 1;
/** Longest wait of a request for one answer while it has other candidates, or while many requests wait. */
export const ANSWER_MS_MAX = 250;
/**
 * Most requests that wait as long as their deadline allows: half of the calls that an overloaded process admits
 * (`LIMIT_MIN` of service-kit). So they leave room for requests that need no answer.
 */
export const PATIENT_MAX = 32;
/** Beyond those, no request waits for an exchange that has taken this time. */
export const OVERDUE_MS = SECOND_MS;
/** Part of a request's time that is kept back for the steps after the money. The answer is due before the deadline. */
const RESERVE_MS = 60;
/** After a failure, no exchange is begun for a request for this time. */
export const FAILURE_MS = 500;
/** Interval of the reports of fills and of the peeks at skipped campaigns. */
const REPORT_MS = SECOND_MS;
/** Exchanges at the end of the process, with a pause after each failure. None begins after the time limit. */
export const LAST_TRIES = 6;
const LAST_PAUSE_MS = 200;
const LAST_MS_MAX = 3 * SECOND_MS;

/** Dependencies of the exchanger. */
export interface LeaseExchangerDeps {
  readonly wallet: Wallet;
  readonly headroom: HeadroomMemory;
  readonly index: { get(id: CampaignId): IndexedCampaign | undefined };
  readonly spend: Pick<SpendClient, 'exchange'>;
  readonly clock: Clock;
  /** The clock of deadlines. Tests do not move it. */
  readonly deadlineClock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  /** The replica run: part of the key of every lease. */
  readonly run: string;
  readonly adTtlMs: number;
  readonly onWant: (verdict: LeaseVerdict) => void;
  readonly onWait: (outcome: AskOutcome) => void;
  /** Called after each exchange with its duration, in seconds. */
  readonly onExchange: (seconds: number) => void;
}

/** A request without money. */
export interface MoneyRequest {
  readonly entry: IndexedCampaign;
  readonly minute: number;
  /** The deadline of the request, epoch ms. Infinite: none. */
  readonly deadlineAt: number;
  /** The next campaigns. Their verdicts are asked for as well, in case this campaign gets nothing. */
  readonly next: readonly IndexedCampaign[];
  /** Whether the request has no other candidate. Then it waits as long as its deadline allows. */
  readonly isLast: boolean;
}

/** A want that was sent and has no answer. */
interface SentWant {
  readonly want: OpenWant;
  /** The entry of the campaign when the want was made. */
  readonly entry: IndexedCampaign;
  readonly lease: Lease;
  readonly grantedMaxNanos: Nanos;
}

/** The content of one exchange. */
interface Sent {
  readonly wants: readonly SentWant[];
  readonly peeks: readonly IndexedCampaign[];
  readonly reports: readonly SentReport[];
}

/**
 * Keeps the wallet filled and reports to events-service, with one exchange in progress at a time. Requests without
 * money call `ask`; {@link LeaseExchanger.tick} does the rest.
 */
export class LeaseExchanger {
  readonly #deps: LeaseExchangerDeps;
  readonly #wants = new OpenWants();
  readonly #peeks = new Map<CampaignId, IndexedCampaign>();
  #running: Promise<void> | null = null;
  /** The last exchange has failed. Null: it has not, or there was none. */
  #failure: { readonly error: unknown; readonly atMs: number } | null = null;
  /** When the exchange in progress was sent, on the clock of deadlines. Infinite: there is none. */
  #sentAtMs = Infinity;
  /** Requests that wait as long as their deadline allows. */
  #patientCount = 0;
  #reportedAtMs = -Infinity;
  #peekedAtMs = -Infinity;
  #isStopped = false;

  constructor(deps: LeaseExchangerDeps) {
    this.#deps = deps;
  }

  /** The replica run, a part of the key of every lease of this process. */
  get run(): string {
    return this.#deps.run;
  }

  /**
   * Asks for money for one campaign, together with all requests that ask for the same at the same time. Never rejects.
   */
  async ask(request: MoneyRequest): Promise<AskOutcome> {
    const outcome = await this.#outcomeOf(request);
    this.#deps.onWait(outcome);
    return outcome;
  }

  /** Adds a peek at the campaign to the next exchange. Its verdict is recorded like that of a skipped campaign. */
  look(entry: IndexedCampaign): void {
    this.#peeks.set(entry.campaign.id, entry);
  }

  /**
   * Peeks at campaigns and resolves when their verdicts are recorded, or could not be asked for. A second exchange asks
   * with the anchors that the first one answers. It grants nothing.
   */
  async lookNow(entries: readonly IndexedCampaign[]): Promise<void> {
    for (let turn = 0; turn < 2 && !this.#isStopped; turn += 1) {
      // The peeks of an exchange in progress are already taken.
      await this.#running;
      for (const entry of entries) this.look(entry);
      await this.#start();
    }
  }

  /**
   * Sends what is due: returns and ends, wants, and once a second reports of fills and peeks at skipped campaigns.
   * Rejects when the last exchange failed.
   */
  async tick(): Promise<void> {
    const { wallet, headroom, clock } = this.#deps;
    const nowMs = clock.now();
    wallet.tidy(nowMs);
    for (const refill of wallet.refills(nowMs)) this.#wants.of(refill);
    if (Math.abs(nowMs - this.#peekedAtMs) >= REPORT_MS) {
      this.#peekedAtMs = nowMs;
      headroom.advanceTo(nowMs);
      for (const entry of headroom.takeSkipped(SKIPPED_PEEKS_MAX)) this.#peeks.set(entry.campaign.id, entry);
    }
    const isReportDue = wallet.hasReports && this.#isReportDue(nowMs);
    const isRetryDue = this.#failure !== null && this.#isRetryDue(this.#failure);
    if (
      isReportDue ||
      isRetryDue ||
      wallet.hasReturns ||
      this.#wants.isAnyGathering ||
      this.#peeks.size > 0
    ) {
      await this.#start();
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Returns all money at the end of the process, when no request is left. Rejects when that could not be reported. */
  async close(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    const { wallet, clock, deadlineClock, wait } = this.#deps;
    this.#peeks.clear();
    const endsAtMs = deadlineClock.now() + LAST_MS_MAX;
    for (let turn = 0; turn < LAST_TRIES && deadlineClock.now() < endsAtMs; turn += 1) {
      wallet.endAll();
      const unanswered = wallet.unanswered();
      if (unanswered.length === 0 && !wallet.hasReports) return;
      if (this.#failure !== null) await wait(LAST_PAUSE_MS);
      for (const refill of unanswered) this.#wants.of(refill);
      await this.#exchange(clock.now(), true);
    }
    throw new Error(
      'Leases could not be returned: what is left of them comes back when their ads would be over.',
    );
  }

  async #outcomeOf({ entry, minute, deadlineAt, next, isLast }: MoneyRequest): Promise<AskOutcome> {
    if (this.#isStopped || this.#isFailing) return 'unavailable';
    const nowMs = this.#deps.deadlineClock.now();
    const isPatient = isLast && this.#patientCount < PATIENT_MAX;
    const leftMs = deadlineAt - RESERVE_MS - nowMs;
    const waitMs = isPatient ? leftMs : Math.min(leftMs, this.#shortWaitMs(isLast, nowMs));
    if (waitMs <= 0) return 'late';
    const want = this.#wants.of({ entry, minute });
    for (const one of next) this.#peeks.set(one.campaign.id, one);
    void this.#start();
    if (!isPatient) return this.#outcomeWithin(want, waitMs);
    this.#patientCount += 1;
    return this.#outcomeWithin(want, waitMs).finally(() => (this.#patientCount -= 1));
  }

  /** The longest wait of a request that has other candidates, or that waits beside many. 0: it does not wait. */
  #shortWaitMs(isLast: boolean, nowMs: number): number {
    // An exchange that is late for others is late for this request too.
    const isOverdue = nowMs - this.#sentAtMs >= (isLast ? OVERDUE_MS : ANSWER_MS_MAX);
    return isOverdue ? 0 : ANSWER_MS_MAX;
  }

  async #outcomeWithin(want: OpenWant, waitMs: number): Promise<AskOutcome> {
    want.waiting += 1;
    const outcome = await Promise.race([want.outcome, this.#deps.wait(waitMs).then(() => 'late' as const)]);
    want.waiting -= 1;
    return outcome;
  }

  /** Whether requests go on without money. After a failure one of them tries an exchange, and the others do not wait for it. */
  get #isFailing(): boolean {
    return this.#failure !== null && (this.#running !== null || !this.#isRetryDue(this.#failure));
  }

  #isRetryDue(failure: { readonly atMs: number }): boolean {
    return Math.abs(this.#deps.clock.now() - failure.atMs) >= FAILURE_MS;
  }

  #isReportDue(nowMs: number): boolean {
    return Math.abs(nowMs - this.#reportedAtMs) >= REPORT_MS;
  }

  #start(): Promise<void> {
    this.#running ??= this.#gatherAndExchange();
    return this.#running;
  }

  /**
   * Runs one exchange, and the next at once if there are more wants. After a failure no request waits, and the next
   * tick continues.
   */
  async #gatherAndExchange(): Promise<void> {
    try {
      await this.#deps.wait(GATHER_MS);
      const nowMs = this.#deps.clock.now();
      await this.#exchange(nowMs, this.#isReportDue(nowMs));
      if (this.#failure !== null || this.#isStopped) this.#wants.abandon();
    } finally {
      this.#running = null;
    }
    if (this.#wants.isAnyGathering) void this.#start();
  }

  async #exchange(nowMs: number, isWhole: boolean): Promise<void> {
    const { wallet, spend, run } = this.#deps;
    const sent = {
      wants: this.#takeWants(nowMs),
      peeks: this.#takePeeks(),
      reports: wallet.reports(REPORTS_MAX, isWhole),
    };
    const startedAt = performance.now();
    this.#sentAtMs = this.#deps.deadlineClock.now();
    try {
      const answers = await spend.exchange({
        run,
        atMs: nowMs,
        reports: sent.reports.map(({ report }) => report),
        wants: sent.wants.map(({ want: { minute }, entry, grantedMaxNanos }) =>
          this.#toWant(entry, { minute, grantedMaxNanos }, nowMs),
        ),
        peeks: sent.peeks.map((entry) => this.#toPeek(entry, nowMs)),
      });
      if (isWhole) this.#reportedAtMs = nowMs;
      this.#note(sent, answers);
    } catch (error) {
      this.#failure = { error, atMs: this.#deps.clock.now() };
      for (const want of sent.wants) wallet.noteUnanswered(want, want.grantedMaxNanos);
    } finally {
      this.#sentAtMs = Infinity;
      this.#wants.finish();
      this.#deps.onExchange((performance.now() - startedAt) / 1_000);
    }
  }

  /** Wants with the current terms. The catalog may have changed since a request asked. */
  #takeWants(nowMs: number): SentWant[] {
    const { wallet, index } = this.#deps;
    return this.#wants.take(WANTS_MAX).map((want) => {
      const entry = index.get(want.entry.campaign.id) ?? want.entry;
      return { want, entry, ...wallet.want({ entry, minute: want.minute }, want.waiting, nowMs) };
    });
  }

  #takePeeks(): IndexedCampaign[] {
    const peeks = [...this.#peeks.values()].slice(0, PEEKS_MAX);
    this.#peeks.clear();
    return peeks.filter((entry) => this.#deps.index.get(entry.campaign.id) === entry);
  }

  #toPeek(entry: IndexedCampaign, nowMs: number): LeaseWant {
    const sum = { minute: minuteOf(nowMs), grantedMaxNanos: entry.campaign.costNanos };
    return this.#toWant(entry, sum, nowMs);
  }

  #toWant(
    entry: IndexedCampaign,
    { minute, grantedMaxNanos }: { readonly minute: number; readonly grantedMaxNanos: Nanos },
    nowMs: number,
  ): LeaseWant {
    const { headroom, adTtlMs } = this.#deps;
    const knowledge = headroom.pace.of(entry);
    return toLeaseWant(entry, { minute, grantedMaxNanos }, { nowMs, adTtlMs, knowledge });
  }

  #note(
    { wants, peeks, reports }: Sent,
    answers: { readonly wants: readonly LeaseAnswer[]; readonly peeks: readonly LeaseAnswer[] },
  ): void {
    const { wallet, headroom } = this.#deps;
    for (const report of reports) wallet.acknowledge(report);
    for (const [at, sent] of wants.entries()) {
      const answer = answers.wants[at];
      if (answer === undefined) wallet.noteUnanswered(sent, sent.grantedMaxNanos);
      else this.#noteWant(sent, answer);
    }
    for (const [at, entry] of peeks.entries()) {
      const answer = answers.peeks[at];
      if (answer !== undefined) this.#noteVerdict(entry, answer, minuteOf(this.#deps.clock.now()));
    }
    if (this.#failure !== null) headroom.retryUnknown();
    this.#failure = null;
  }

  #noteWant({ want, entry, lease }: SentWant, answer: LeaseAnswer): void {
    const { wallet, clock, onWant } = this.#deps;
    onWant(answer.verdict);
    const isUsable = wallet.noteAnswer({ lease, entry }, answer, clock.now());
    this.#noteVerdict(entry, answer, want.minute);
    // Money that was granted under other terms is returned already.
    want.settle(isUsable ? answer.verdict : 'ended');
  }

  /**
   * Records the verdict on a campaign. The campaign is skipped when it got no money and the wallet holds none for it.
   */
  #noteVerdict(entry: IndexedCampaign, { verdict, anchor, closed, left }: LeaseAnswer, minute: number): void {
    const { wallet, headroom, clock } = this.#deps;
    const { id, costNanos } = entry.campaign;
    headroom.noteLeft(entry, left, minute);
    if (anchor !== null) headroom.pace.setAnchor(id, anchor);
    if (closed !== null) headroom.pace.setClosed(id, closed);
    const current = minuteOf(clock.now());
    // While the wallet holds money for the campaign, a refusal does not matter: the money may be an earlier grant for
    // this campaign.
    if (verdict === 'granted' || verdict === 'anchor' || wallet.holds(id, current, costNanos)) {
      headroom.retry(id);
      return;
    }
    if (verdict !== 'ended') headroom.skip(entry, verdict, minute);
    else if (minute === current) headroom.skip(entry, 'unknown', minute);
  }
}
