import { appError } from '@placard/service-kit';
import type { CallbackTarget } from '@placard/service-kit/callbacks';
import type { Clock } from '@placard/service-kit/pure';
import { WEBHOOKS_MAX, type Webhook } from '../domain/webhook.js';
import type { WebhookStore } from '../store/webhooks.js';

/** Why an address is refused: one sentence. */
export interface RefusedAddress {
  readonly reason: string;
}

/** Adds, lists and removes webhooks. `actor` goes to the audit. Every method may fail with `unavailable`. */
export interface Webhooks {
  list(): Promise<readonly Webhook[]>;
  /** Adds a webhook. Error `failed_precondition`: there are 20 already. */
  add(
    wanted: { readonly name: string; readonly url: string },
    actor: string,
  ): Promise<Webhook | RefusedAddress>;
  /** Removes a webhook and what waits for it. Error `not_found`. */
  remove(id: string, actor: string): Promise<void>;
}

/** What {@link makeWebhooks} needs. */
export interface WebhooksDeps {
  readonly webhooks: WebhookStore;
  readonly findTarget: (url: string) => Promise<CallbackTarget>;
  readonly makeId: () => string;
  readonly clock: Clock;
}

/** Makes {@link Webhooks}. */
export function makeWebhooks({ webhooks, findTarget, makeId, clock }: WebhooksDeps): Webhooks {
  return {
    list: () => webhooks.list(),
    async add({ name, url }, actor) {
      const target = await findTarget(url);
      if (!target.isAllowed) return { reason: target.reason };
      const webhook = { id: makeId(), name, url: target.url.href, createdAtMs: clock.now() };
      if (!(await webhooks.add(webhook, { countMax: WEBHOOKS_MAX, actor }))) {
        throw appError(
          'failed_precondition',
          `There are ${WEBHOOKS_MAX} webhooks already. Remove one first.`,
        );
      }
      return webhook;
    },
    async remove(id, actor) {
      if (!(await webhooks.remove(id, { atMs: clock.now(), actor }))) {
        throw appError('not_found', `There is no webhook ${id}.`);
      }
    },
  };
}
