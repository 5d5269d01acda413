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

/** An account without an owner. Its id is its kind. */
export type SingleAccount = {
  readonly [Kind in Exclude<AccountKind, OwnedAccount['kind']>]: { readonly kind: Kind; readonly id: Kind };
}[Exclude<AccountKind, OwnedAccount['kind']>];

const SINGLE_ACCOUNTS: readonly SingleAccount[] = [
  { kind: 'platform', id: 'platform' },
  { kind: 'deposits', id: 'deposits' },
  { kind: 'payouts', id: 'payouts' },
];

/** Ids of all advertisers and publishers of the catalog. */
export interface OwnerIds {
  readonly advertiserIds: readonly AdvertiserId[];
  readonly publisherIds: readonly PublisherId[];
}

/** An operator's name for an account. */
export type AccountName =
  | OwnedAccount
  | SingleAccount
  /** An id alone. The catalog gives its kind. */
  | { readonly kind: null; readonly id: OwnerId };

/** The full name of an account: `advertiser:adv_x` with any id, or `platform`, `deposits` and `payouts` without one. */
export function accountText({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return SINGLE_ACCOUNTS.some((single) => single.kind === kind) ? kind : `${kind}:${id}`;
}

/** Reads `advertiser:adv_x`, `publisher:pub_x`, `platform`, `deposits`, `payouts`, or an id alone; null: none of them. */
export function readAccountName(text: string): AccountName | null {
  const single = SINGLE_ACCOUNTS.find(({ kind }) => kind === text);
  if (single !== undefined) return single;
  const at = text.indexOf(':');
  const id = asOwnerId(text.slice(at + 1));
  if (id.length === 0) return null;
  if (at === -1) return { kind: null, id };
  const kind = text.slice(0, at);
  return kind === 'advertiser' || kind === 'publisher' ? { kind, id } : null;
}
