import { GENERAL_ROLES, TENANT_ROLES, type Role } from './actor.js';

/** Every kind of role, as an operation of the management API lists it in `x-roles`. */
export const ROLE_KINDS: readonly Role['kind'][] = [...GENERAL_ROLES, ...TENANT_ROLES];

/** What a role may be, for messages. */
export const ROLES_TEXT = `${GENERAL_ROLES.join(', ')}, ${TENANT_ROLES.map((kind) => `${kind}:ID`).join(' or ')}`;

/** The ids of publishers and advertisers in the catalog. */
const OWNER_ID = /^[a-z0-9_]{2,64}$/;

/** Reads `admin`, `adops`, `finance`, `readonly`, `publisher:ID` or `advertiser:ID`. Null: it is none of them. */
export function readRole(text: string): Role | null {
  const general = GENERAL_ROLES.find((kind) => kind === text);
  if (general !== undefined) return { kind: general };
  const colon = text.indexOf(':');
  const tenant = TENANT_ROLES.find((kind) => kind === text.slice(0, colon));
  const id = text.slice(colon + 1);
  return tenant === undefined || !OWNER_ID.test(id) ? null : { kind: tenant, id };
}

/** The role as {@link readRole} reads it. */
export function roleText(role: Role): string {
  return 'id' in role ? `${role.kind}:${role.id}` : role.kind;
}
