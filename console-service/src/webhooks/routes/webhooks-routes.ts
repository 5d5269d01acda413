import { toIso } from '@placard/service-kit/pure';
import { actorText } from '../../access/domain/permission.js';
import type { RoutesOf, Schemas } from '../../manage/domain/operations.js';
import type { Webhook } from '../domain/webhook.js';
import type { Webhooks } from '../usecase/keep-webhooks.js';
import type { SigningKeys } from '../usecase/signing-keys.js';

type WebhooksOperation = 'listWebhooks' | 'createWebhook' | 'removeWebhook' | 'listWebhookKeys';

/** The use cases of the operations on webhooks. */
export interface WebhooksRoutesDeps {
  readonly webhooks: Webhooks;
  readonly signingKeys: Pick<SigningKeys, 'publicParts'>;
}

/** Webhooks, and the keys of their signatures. Contract: docs/contract/operator-interface.md#webhook. */
export function webhooksRoutes({ webhooks, signingKeys }: WebhooksRoutesDeps): RoutesOf<WebhooksOperation> {
  return {
    listWebhooks: async () => ({
      body: { rows: (await webhooks.list()).map(toWebhook), next_cursor: null },
    }),
    createWebhook: async ({ actor, body: { name, url } }) => {
      const added = await webhooks.add({ name, url }, actorText(actor));
      return 'reason' in added
        ? { refusal: { detail: 'The webhook is refused.', errors: [{ field: 'url', detail: added.reason }] } }
        : { body: toWebhook(added), status: 201 };
    },
    removeWebhook: async ({ actor, path: { id } }) => {
      await webhooks.remove(id, actorText(actor));
      return { body: undefined };
    },
    listWebhookKeys: async () => ({ body: { keys: await signingKeys.publicParts() } }),
  };
}

function toWebhook({ id, name, url, createdAtMs }: Webhook): Schemas['Webhook'] {
  return { id, name, url, created_at: toIso(createdAtMs) };
}
