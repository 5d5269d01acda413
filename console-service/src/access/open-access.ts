import type { Scope } from '@placard/service-kit';
import type { Pool } from '@placard/service-kit/postgres';
import { Counter } from 'prom-client';
import type { ApiKey, KeyText } from './domain/api-key.js';
import type { Refusal } from './domain/permission.js';
import { openUsers, type Users } from '../users/open-users.js';
import { makePgKeyStore } from './store/key-store.pg.js';
import { makeAuthenticate, type Authenticate, type Unauthenticated } from './usecase/authenticate.js';
import { makeAuthorize, makeNoteForbidden, type Authorize, type NoteForbidden } from './usecase/authorize.js';
import { makeCreateKey, type CreateKey } from './usecase/create-key.js';
import { makeInstallBootstrapKey } from './usecase/install-bootstrap-key.js';
import { makeNoteRefusal } from './usecase/note-refusal.js';
import { makeRevokeKey, type RevokeKey } from './usecase/revoke-key.js';

/** Who may call the management API, and the operators' use cases for keys and users. */
export interface Access {
  readonly authenticate: Authenticate;
  readonly authorize: Authorize;
  readonly noteForbidden: NoteForbidden;
  readonly createKey: CreateKey;
  /** All keys, revoked ones included, the oldest first. Error `unavailable`. */
  readonly listKeys: () => Promise<ApiKey[]>;
  readonly revokeKey: RevokeKey;
  readonly users: Users;
}

/** What {@link openAccess} needs. */
export interface AccessDeps {
  readonly pool: Pool;
  /** The setting `BOOTSTRAP_KEY`. Null: it is not set. */
  readonly bootstrapKey: KeyText | null;
}

/** Opens the keys and the users until the scope closes. */
export function openAccess(scope: Scope, { pool, bootstrapKey }: AccessDeps): Access {
  const { clock, random } = scope;
  const store = makePgKeyStore(pool);
  const refused = new Counter({
    name: 'placard_manage_refused_total',
    help: 'Calls of the management API that were refused because of who sent them, by reason',
    labelNames: ['reason'] as const,
    registers: [scope.metrics],
  });
  const onRefused = (reason: Unauthenticated | Refusal): void => refused.inc({ reason });
  const noteRefusal = makeNoteRefusal({ store, clock });
  const users = openUsers(scope, pool);
  const installBootstrapKey = makeInstallBootstrapKey({ store, clock, bootstrapKey });
  return {
    authenticate: makeAuthenticate({
      store,
      clock,
      installBootstrapKey,
      authenticateSession: users.authenticateSession,
      noteRefusal,
      onRefused,
    }),
    authorize: makeAuthorize({ store, noteRefusal, onRefused }),
    noteForbidden: makeNoteForbidden({ noteRefusal, onRefused }),
    createKey: makeCreateKey({ store, clock, random }),
    listKeys: () => store.list(),
    revokeKey: makeRevokeKey({ store, clock }),
    users,
  };
}
