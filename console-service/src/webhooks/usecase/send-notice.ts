import { appError } from '@placard/service-kit';
import type { PostCallback, SignBody, SigningKey } from '@placard/service-kit/callbacks';
import type { Clock } from '@placard/service-kit/pure';
import { bodyOf, isLastAttempt } from '../domain/webhook.js';
import type { NoticeStore } from '../store/webhooks.js';

/** How an attempt ended. `over`: there was nothing to send. */
export type AttemptEnd = 'delivered' | 'given_up' | 'over';

/**
 * Makes one attempt to send a notice. Error `unavailable`: it failed and must be tried again; the text says why and holds
 * neither address nor body.
 */
export type SendNotice = (id: string) => Promise<AttemptEnd>;

/** What {@link makeSendNotice} needs. */
export interface SendNoticeDeps {
  readonly notices: Pick<NoticeStore, 'read' | 'mark'>;
  readonly signingKey: () => Promise<SigningKey>;
  readonly signBody: SignBody;
  readonly post: PostCallback;
  readonly clock: Clock;
}

/** Makes {@link SendNotice}. */
export function makeSendNotice(deps: SendNoticeDeps): SendNotice {
  const { notices, signingKey, signBody, post, clock } = deps;
  return async (id) => {
    const notice = await notices.read(id);
    if (notice === null) return 'over';
    const body = bodyOf(notice);
    const signature = await signBody(await signingKey(), body, { id, atMs: clock.now() });
    const result = await post({
      url: notice.url,
      headers: { 'Content-Type': 'application/json', 'Placard-Signature': signature },
      body,
    });
    const fault = result.isDelivered ? null : result.reason;
    const isGivenUp = fault !== null && isLastAttempt(notice);
    await notices.mark(id, { atMs: clock.now(), fault, isGivenUp });
    if (fault === null) return 'delivered';
    if (isGivenUp) return 'given_up';
    throw appError('unavailable', fault);
  };
}
