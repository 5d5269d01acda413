import type { AccountFunds } from '../domain/deposit-rules.js';
import type { Transfer, TransferKind } from '../domain/transfer-rules.js';

/** A transfer with the instant and the author of its request. */
export interface TransferRequest {
  readonly transfer: Transfer;
  readonly actor: string;
  /** Epoch ms. */
  readonly atMs: number;
}

/** Payouts and refunds, and who closed a month. Every method may fail with `unavailable`. */
export interface TransferStore {
  /** The transfer that is booked or to be booked under a reference; undefined when the reference is free. */
  read(
    kind: TransferKind,
    reference: string,
  ): Promise<{ readonly transfer: Transfer; readonly isBooked: boolean } | undefined>;
  /** False: the reference is not free any more. */
  add(request: TransferRequest): Promise<boolean>;
  /** The oldest transfers that the ledger has neither booked nor refused, at most `countMax`. */
  readUnbooked(kind: TransferKind, countMax: number): Promise<Transfer[]>;
  /**
   * Stores what the ledger says to a transfer, in the audit too: `ask` answers null when it is booked, and otherwise the
   * reason why it is not, which frees the reference. Returns that answer. Nobody else asks for the transfer meanwhile, so
   * none is booked that somebody was told to be refused. `ask` is not called when the transfer is settled already. When it
   * throws, nothing is stored.
   */
  settle(transfer: Transfer, atMs: number, ask: () => Promise<string | null>): Promise<string | null>;
  /** Payouts of publishers and refunds of advertisers in sum, booked or not, in a fixed order. */
  readSums(): Promise<AccountFunds[]>;
  /** Adds the close of a month to the audit, once. `atMs`: when the ledger closed it. */
  noteClose(month: string, actor: string, atMs: number): Promise<void>;
}
