import { toIso } from '@placard/service-kit/pure';
import { isoOrNull } from '../../domain/iso-or-null.js';
import type { RoutesOf, Schemas } from '../../manage/domain/operations.js';
import type { ApiKey } from '../domain/api-key.js';
import { roleText } from '../domain/role.js';
import type { CreateKey } from '../usecase/create-key.js';
import type { RevokeKey } from '../usecase/revoke-key.js';

/** The use cases of the operations on keys. */
export interface AccessRoutesDeps {
  readonly createKey: CreateKey;
  readonly listKeys: () => Promise<ApiKey[]>;
  readonly revokeKey: RevokeKey;
}

/** The API keys. */
export function accessRoutes({
  createKey,
  listKeys,
  revokeKey,
}: AccessRoutesDeps): RoutesOf<'listKeys' | 'createKey' | 'revokeKey'> {
  return {
    listKeys: async () => ({ body: { rows: (await listKeys()).map(toKey), next_cursor: null } }),
    createKey: async ({ actor, body: { name, role } }) => {
      const { key, text } = await createKey({ actor, name, role });
      return { status: 201, body: { key: toKey(key), text } };
    },
    revokeKey: async ({ actor, path: { id } }) => ({ body: toKey(await revokeKey({ actor, id })) }),
  };
}

function toKey(key: ApiKey): Schemas['ApiKey'] {
  return {
    id: key.id,
    name: key.name,
    role: roleText(key.role),
    created_at: toIso(key.createdAtMs),
    created_by: key.createdBy,
    last_used_at: isoOrNull(key.lastUsedAtMs),
    revoked_at: isoOrNull(key.revokedAtMs),
  };
}
