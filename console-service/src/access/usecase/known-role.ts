import type { Role } from '../domain/actor.js';
import { tenantOf, type Tenant } from '../domain/permission.js';
import { readRole, ROLES_TEXT } from '../domain/role.js';

/**
 * Reads the role that an operator gives to a key or a user, or says why it is refused. The publisher or advertiser of a role
 * must be in the catalog, or have been. Error `unavailable`.
 */
export async function readKnownRole(
  store: { wasEver(tenant: Tenant): Promise<boolean> },
  text: string,
): Promise<{ readonly role: Role } | { readonly fault: string }> {
  const role = readRole(text);
  if (role === null) return { fault: `role ${text} is none of ${ROLES_TEXT}` };
  const tenant = tenantOf(role);
  if (tenant !== null && !(await store.wasEver(tenant)))
    return { fault: `role ${text} names no ${tenant.kind} of the catalog` };
  return { role };
}
