import type { Clock } from '@placard/service-kit/pure';
import { fromExchange, toExchange } from '../../src/clients/lease-wire.js';
import type { SpendClient } from '../../src/clients/spend-client.js';
import type { CampaignIndex } from '../../src/selection/domain/campaign-index.js';
import { Wallet } from '../../src/budgets/domain/wallet.js';
import { HeadroomMemory } from '../../src/budgets/usecase/headroom-memory.js';
import { LeaseExchanger } from '../../src/budgets/usecase/exchange-leases.js';
import type { LeaseBank } from './lease-bank.js';
import { AD_TTL_MS } from './world.js';

/** The wallet of one process, its memory of headroom, and its exchanger. */
export interface Purse {
  readonly wallet: Wallet;
  readonly headroom: HeadroomMemory;
  readonly exchanger: LeaseExchanger;
}

/** Options of a purse. */
export interface PurseOptions {
  readonly run?: string;
  readonly exchange?: SpendClient['exchange'];
  /** Resolves when a wait of more than a moment is over. Default: never. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Default: it stands still at 0. */
  readonly deadlineClock?: Clock;
}

/** The exchange with a bank that answers at once. */
export function exchangeWith(bank: LeaseBank): SpendClient['exchange'] {
  return (request) => Promise.resolve(fromExchange(bank.exchange(toExchange(request))));
}

/** Makes a purse that collects wants without a wait. */
export function makePurse(
  { bank, index, clock }: { readonly bank: LeaseBank; readonly index: CampaignIndex; readonly clock: Clock },
  options: PurseOptions = {},
): Purse {
  const wallet = new Wallet();
  const headroom = new HeadroomMemory(index);
  headroom.advanceTo(clock.now());
  const exchanger = new LeaseExchanger({
    wallet,
    headroom,
    index,
    clock,
    run: options.run ?? 'run',
    adTtlMs: AD_TTL_MS,
    spend: { exchange: options.exchange ?? exchangeWith(bank) },
    deadlineClock: options.deadlineClock ?? { now: () => 0 },
    wait: (ms) => (ms <= 1 ? Promise.resolve() : (options.wait?.(ms) ?? new Promise(() => undefined))),
    onWant: () => undefined,
    onWait: () => undefined,
    onExchange: () => undefined,
  });
  return { wallet, headroom, exchanger };
}
