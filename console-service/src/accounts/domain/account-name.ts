/** The kind of an account that operators can name. `platform` and `deposits` have one account each, whose id is the kind. */
export type AccountKind = 'advertiser' | 'publisher' | 'platform' | 'deposits';

/** An account. */
export interface Account {
  readonly kind: AccountKind;
  readonly id: string;
}

/** An account of an advertiser or publisher. */
export interface OwnedAccount extends Account {
  readonly kind: 'advertiser' | 'publisher';
}

/** An operator's name for an account. */
export type AccountName =
  | OwnedAccount
  | { readonly kind: 'platform' | 'deposits'; readonly id: string }
  /** An id alone. The catalog gives its kind. */
  | { readonly kind: null; readonly id: string };

/** The full name of an account: `advertiser:adv_x` with any id, or `platform` and `deposits` without one. */
export function accountText({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return kind === 'platform' || kind === 'deposits' ? kind : `${kind}:${id}`;
}

/** Reads `advertiser:adv_x`, `publisher:pub_x`, `platform`, `deposits`, or an id alone; null when it is none of them. */
export function readAccountName(text: string): AccountName | null {
  if (text === 'platform' || text === 'deposits') return { kind: text, id: text };
  const at = text.indexOf(':');
  const id = text.slice(at + 1);
  if (id === '') return null;
  if (at === -1) return { kind: null, id };
  const kind = text.slice(0, at);
  return kind === 'advertiser' || kind === 'publisher' ? { kind, id } : null;
}
