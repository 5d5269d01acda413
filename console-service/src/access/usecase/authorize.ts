import { appError } from '@placard/service-kit';
import type { Actor, Role } from '../domain/actor.js';
import {
  namedObject,
  refusalOf,
  tenantOf,
  type Named,
  type Refusal,
  type Tenant,
} from '../domain/permission.js';
import { roleText } from '../domain/role.js';
import type { KeyStore } from '../store/key-store.js';
import type { NoteRefusal } from './note-refusal.js';

/** A call of an operation. */
export interface AuthorizeRequest {
  readonly actor: Actor;
  readonly operationId: string;
  /** The operation's `x-roles`. */
  readonly roles: readonly Role['kind'][];
  /** What the request names. */
  readonly named: readonly Named[];
  /** The values of parameters that are hidden from the actor's role, such as `by=campaign`. */
  readonly hidden: readonly string[];
}

/**
 * Lets an actor call an operation. It answers the tenant whose rows the operation is limited to; null: all rows. Error
 * `permission_denied`: the operation is not for the role, the request names what the tenant does not own, or asks for what is
 * hidden from the role. The error is the same whether what it names exists or not.
 */
export type Authorize = (request: AuthorizeRequest) => Promise<Tenant | null>;

/** Notes that an operation was refused to an actor because of the content of the request, which its role may not send. */
export type NoteForbidden = (actor: Actor, operationId: string) => Promise<void>;

/** What {@link NoteForbidden} needs. */
export interface NoteForbiddenDeps {
  readonly noteRefusal: NoteRefusal;
  /** Is called for each call that is refused. */
  readonly onRefused: (reason: Refusal) => void;
}

/** Makes {@link NoteForbidden}. */
export function makeNoteForbidden(deps: NoteForbiddenDeps): NoteForbidden {
  return (actor, operationId) => note(deps, { actor, operationId }, 'role');
}

async function note(
  { noteRefusal, onRefused }: NoteForbiddenDeps,
  { actor, operationId }: Pick<AuthorizeRequest, 'actor' | 'operationId'>,
  reason: Refusal,
): Promise<void> {
  onRefused(reason);
  await noteRefusal(actor, operationId, reason);
}

/** What {@link Authorize} needs. */
export interface AuthorizeDeps extends NoteForbiddenDeps {
  readonly store: Pick<KeyStore, 'ownerOf'>;
}

/** Makes {@link Authorize}. */
export function makeAuthorize(deps: AuthorizeDeps): Authorize {
  return async (request) => {
    const { actor, operationId, roles, named, hidden } = request;
    const tenant = tenantOf(actor.role);
    const isTenants = tenant !== null && roles.includes(tenant.kind);
    const owners = isTenants
      ? await Promise.all(named.map((each) => deps.store.ownerOf(namedObject(each))))
      : [];
    const reason = refusalOf(actor.role, roles, { owners, hidden });
    if (reason === null) return tenant;
    await note(deps, request, reason);
    const role = roleText(actor.role);
    const texts = {
      role: `The role ${actor.role.kind} may not call ${operationId}; it is for ${roles.join(', ')}.`,
      tenant: `The role ${role} may only use what belongs to it.`,
      hidden: `The role ${role} may not ask for ${hidden.join(', ')}: the answer would show what is secret.`,
    };
    throw appError('permission_denied', texts[reason]);
  };
}
