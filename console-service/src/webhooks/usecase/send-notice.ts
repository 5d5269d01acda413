import { appError } from '@placard/service-kit';
import type { PostSigned } from '@placard/service-kit/callbacks';
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
  readonly postSigned: PostSigned;
  readonly clock: Clock;
}

/** Makes {@link SendNotice}. */
export function makeSendNotice(deps: SendNoticeDeps): SendNotice {
  const { notices, postSigned, clock } = deps;
  return async (id) => {
    const notice = await notices.read(id);
    if (notice === null) return 'over';
    const result = await postSigned({ id, url: notice.url, body: bodyOf(notice) });
    const fault = result.isDelivered ? null : result.reason;
    const isGivenUp = fault !== null && isLastAttempt(notice);
    await notices.mark(id, { atMs: clock.now(), fault, isGivenUp });
    if (fault === null) return 'delivered';
    if (isGivenUp) return 'given_up';
    throw appError('unavailable', fault);
  };
}
