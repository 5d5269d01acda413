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
 * What becomes of an exchange: it arrives; neither it nor an answer does; it is carried out and the answer is lost; it is
 * carried out twice; it is given up and carried out at some later time; the answer stays on its way until it is let through.
 */
export const PASSAGES = ['ok', 'lost', 'answer lost', 'twice', 'late', 'held'] as const;
/** One of them. */
export type Passage = (typeof PASSAGES)[number];

/** The way from replicas to events-service. */
export class Network {
  readonly #exchange: ExchangeLeases;
  readonly #late: LeaseRequest[] = [];
  /** The highest limits under which each lease was granted something. */
  readonly #limits = new Map<string, Limits>();

  constructor(exchange: ExchangeLeases) {
    this.#exchange = exchange;
  }

  /** Sends a replica's exchange on its way. `held`: what an answer that is held waits for. */
  async send(request: LeaseRequest, passage: Passage, held: () => Promise<void>): Promise<LeaseAnswers> {
    if (passage === 'late') this.#late.push(request);
    if (passage === 'lost' || passage === 'late') throw lost();
    const answers = await this.#carryOut(request);
    if (passage === 'answer lost') throw lost();
    if (passage === 'twice') return this.#carryOut(request);
    if (passage === 'held') await held();
    return answers;
  }

  /** Carries out one exchange that everybody has given up, if there is one; its answer reaches nobody. */
  async deliverLate(nth: number): Promise<boolean> {
    const [request] = this.#late.splice(nth % Math.max(1, this.#late.length), 1);
    if (request !== undefined) await this.#carryOut(request);
    return request !== undefined;
  }

  /** The highest limits under which a lease was granted something. Throws when it has no grant. */
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
