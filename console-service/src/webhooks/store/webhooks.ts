import type { SigningKey } from '@placard/service-kit/callbacks';
import type { Notice, Webhook } from '../domain/webhook.js';

/** The webhooks of operators. Every method may fail with `unavailable`. */
export interface WebhookStore {
  list(): Promise<readonly Webhook[]>;
  /** Adds a webhook and its row of the audit. False: there are as many as there may be. */
  add(webhook: Webhook, by: { readonly countMax: number; readonly actor: string }): Promise<boolean>;
  /** Removes a webhook with its notices, and adds a row to the audit (epoch ms). False: there is none. */
  remove(id: string, by: { readonly atMs: number; readonly actor: string }): Promise<boolean>;
}

/** Where a page of waiting notices begins: behind this one. */
export interface NoticePlace {
  readonly id: string;
  /** Epoch ms. */
  readonly madeAtMs: number;
}

/** Notices for webhooks, and the keys that sign them. Every method may fail with `unavailable`. */
export interface NoticeStore {
  /** Null: the notice is over, or its webhook is gone. */
  read(id: string): Promise<Notice | null>;
  /** Notices that are not over, oldest first. Null: from the first. */
  readWaiting(after: NoticePlace | null, countMax: number): Promise<readonly NoticePlace[]>;
  /** Stores the result of an attempt (epoch ms). Fault null: delivered. */
  mark(
    id: string,
    result: { readonly atMs: number; readonly fault: string | null; readonly isGivenUp: boolean },
  ): Promise<void>;
  /** Deletes notices that were made before an instant (epoch ms). */
  prune(beforeMs: number): Promise<void>;
  /** The key pairs, the one in use first. */
  readKeys(): Promise<readonly SigningKey[]>;
  /** Adds the first key pair; another console-service may be faster. */
  addFirstKey(key: SigningKey, atMs: number): Promise<void>;
}
