import {
  asOwnerId,
  type AccountId,
  type AccountKind,
  type AdvertiserId,
  type OwnerId,
  type PublisherId,
} from '@placard/service-kit/pure';

/** An account. */
export interface Account {
  readonly kind: AccountKind;
  readonly id: AccountId;
}

/** An account of an advertiser or publisher. */
export interface OwnedAccount extends Account {
  readonly kind: 'advertiser' | 'publisher';
  readonly id: OwnerId;
}

/** Ids of all advertisers and publishers of the catalog. */
export interface OwnerIds {
  readonly advertiserIds: readonly AdvertiserId[];
  readonly publisherIds: readonly PublisherId[];
}

/** An operator's name for an account. */
export type AccountName =
  | OwnedAccount
  | { readonly kind: 'platform'; readonly id: 'platform' }
  | { readonly kind: 'deposits'; readonly id: 'deposits' }
  /** An id alone. The catalog gives its kind. */
  | { readonly kind: null; readonly id: OwnerId };

/** The full name of an account: `advertiser:adv_x` with any id, or `platform` and `deposits` without one. */
export function accountText({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return kind === 'platform' || kind === 'deposits' ? kind : `${kind}:${id}`;
}

/** Reads `advertiser:adv_x`, `publisher:pub_x`, `platform`, `deposits`, or an id alone; null when it is none of them. */
export function readAccountName(text: string): AccountName | null {
  if (text === 'platform') return { kind: text, id: text };
  if (text === 'deposits') return { kind: text, id: text };
  const at = text.indexOf(':');
  const id = asOwnerId(text.slice(at + 1));
  if (id.length === 0) return null;
  if (at === -1) return { kind: null, id };
  const kind = text.slice(0, at);
  return kind === 'advertiser' || kind === 'publisher' ? { kind, id } : null;
}
