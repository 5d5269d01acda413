import type { Actor, Role, TENANT_ROLES } from './actor.js';

type TenantKind = (typeof TENANT_ROLES)[number];

/** The publisher or advertiser whose data an actor is limited to. */
export interface Tenant {
  readonly kind: TenantKind;
  readonly id: string;
}

/** The tenant of a role. Null: the role is not limited to one. */
export function tenantOf(role: Role): Tenant | null {
  return 'id' in role ? { kind: role.kind, id: role.id } : null;
}

/**
 * What a parameter of a request can name. `account` is a text such as `publisher:pub_sunrise`, and `reward` is the request id of
 * a rewarded ad.
 */
export const NAMED_KINDS: readonly string[] = [
  ...['publisher', 'advertiser', 'account', 'reward'],
  ...['app', 'placement', 'campaign', 'creative'],
];

/** What a request names: an object of the catalog, an account or a reward. */
export interface Named {
  readonly kind: string;
  readonly id: string;
}

/** An account as the object that owns it; everything else as it is. */
export function namedObject(named: Named): Named {
  if (named.kind !== 'account') return named;
  const colon = named.id.indexOf(':');
  return { kind: named.id.slice(0, Math.max(colon, 0)), id: named.id.slice(colon + 1) };
}

/** Whether a role may move money: book it, or give it to a new advertiser as its opening balance. */
export function mayMoveMoney({ kind }: Role): boolean {
  return kind === 'admin' || kind === 'finance';
}

/**
 * Why a call is refused. `role`: the operation is not for this role. `tenant`: it is for the data of another tenant. `hidden`:
 * its answer would show what is hidden from the role.
 */
export type Refusal = 'role' | 'tenant' | 'hidden';

/** What a call asks for. */
export interface Asked {
  /** The owner of each thing that the request names, undefined for what is not there. */
  readonly owners: readonly (Tenant | undefined)[];
  /** The values of parameters that are hidden from the role, such as `by=campaign`. */
  readonly hidden: readonly string[];
}

/**
 * Decides whether a role may call an operation. `allowed` is the operation's `x-roles`. A tenant is refused unless it owns all
 * that the request names, and any role when it asks for what is hidden from it. Null: the role may call it.
 */
export function refusalOf(
  role: Role,
  allowed: readonly Role['kind'][],
  { owners, hidden }: Asked,
): Refusal | null {
  if (!allowed.includes(role.kind)) return 'role';
  const tenant = tenantOf(role);
  const isOwn =
    tenant === null || owners.every((owner) => owner?.kind === tenant.kind && owner.id === tenant.id);
  if (!isOwn) return 'tenant';
  return hidden.length === 0 ? null : 'hidden';
}

/** The actor as the audit stores it: `key_0123456789abcdef (laptop of Ann)`, with `, system user ann` from a command. */
export function actorText({
  id,
  name,
  systemUser = null,
}: Pick<Actor, 'id' | 'name' | 'systemUser'>): string {
  const actor = `${id} (${name})`;
  return systemUser === null ? actor : `${actor}, system user ${systemUser}`;
}
