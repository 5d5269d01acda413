import { appError } from '@placard/service-kit';
import {
  fromWireLeaseReport,
  fromWireWant,
  toWireAnswer,
} from '../../events-service/src/budgets/rpc/wire.js';
import type { ExchangeLeases } from '../../events-service/src/budgets/usecase/exchange-leases.js';
import { fromExchange, toExchange } from '../../serving-service/src/clients/lease-wire.js';
import type { LeaseAnswers, LeaseRequest } from '../../serving-service/src/clients/spend-client.js';
import { higher, type Limits } from './budget-model.js';

/**
 * Fates of an exchange. `ok`: it is carried out and answered; `lost`: it is lost; `answer lost`: it is carried out and the
 * answer is lost; `twice`: it is carried out twice; `late`: its caller gives up and it is carried out later; `held`: it is
 * carried out and the answer is held until it is released.
 */
export const PASSAGES = ['ok', 'lost', 'answer lost', 'twice', 'late', 'held'] as const;
/** One of them. */
export type Passage = (typeof PASSAGES)[number];

/** The network between replicas and events-service. */
export class Network {
  readonly #exchange: ExchangeLeases;
  readonly #late: LeaseRequest[] = [];
  /** The highest limits at the grants of each lease. */
  readonly #limits = new Map<string, Limits>();

  constructor(exchange: ExchangeLeases) {
    this.#exchange = exchange;
  }

  /** Sends a replica's exchange. A held answer waits for `held`. */
  async send(request: LeaseRequest, passage: Passage, held: () => Promise<void>): Promise<LeaseAnswers> {
    if (passage === 'late') this.#late.push(request);
    if (passage === 'lost' || passage === 'late') throw lost();
    const answers = await this.#carryOut(request);
    if (passage === 'answer lost') throw lost();
    if (passage === 'twice') return this.#carryOut(request);
    if (passage === 'held') await held();
    return answers;
  }

  /** Carries out one late exchange, if there is one, and drops its answer. False: there is none. */
  async deliverLate(nth: number): Promise<boolean> {
    const [request] = this.#late.splice(nth % Math.max(1, this.#late.length), 1);
    if (request !== undefined) await this.#carryOut(request);
    return request !== undefined;
  }

  /** The highest limits at the grants of a lease. Throws when it has no grant. */
  limitsOf(campaignId: string, minute: number, run: string): Limits {
    const limits = this.#limits.get(`${campaignId}/${minute}/${run}`);
    if (limits === undefined) throw new Error(`an ad of ${campaignId} was sold without a grant`);
    return limits;
  }

  async #carryOut(request: LeaseRequest): Promise<LeaseAnswers> {
    const { run, atMs, reports, wants, peeks } = toExchange(request);
    const answers = await this.#exchange({
      run,
      atMs: Number(atMs),
      reports: reports.map(fromWireLeaseReport),
      wants: wants.map(fromWireWant),
      peeks: peeks.map(fromWireWant),
    });
    for (const [at, { verdict }] of answers.wants.entries())
      if (verdict === 'granted') this.#note(request, at);
    return fromExchange({ wants: answers.wants.map(toWireAnswer), peeks: answers.peeks.map(toWireAnswer) });
  }

  #note({ run, wants }: LeaseRequest, at: number): void {
    const want = wants[at];
    if (want === undefined) throw new Error('there are more answers than wants');
    const key = `${want.campaignId}/${want.minute}/${run}`;
    const before = this.#limits.get(key);
    this.#limits.set(key, {
      totalNanos: higher(before === undefined ? 0n : before.totalNanos, want.totalLimitNanos),
      dailyNanos: higher(before === undefined ? 0n : before.dailyNanos, want.dailyLimitNanos),
      fundedNanos: higher(before === undefined ? 0n : before.fundedNanos, want.fundedNanos),
    });
  }
}

function lost(): Error {
  return appError('unavailable', 'The exchange or its answer is lost.');
}
