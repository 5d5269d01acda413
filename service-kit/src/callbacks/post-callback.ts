import { request } from 'node:https';
import { isIP } from 'node:net';
import { findCallbackTarget, resolveHost, type ResolveHost } from './callback-target.js';
import { isPublicAddress } from './public-address.js';

/** One attempt to deliver a callback. */
export interface CallbackRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What became of an attempt. */
export type CallbackResult =
  | { readonly isDelivered: true }
  /**
   * The reason is a sentence for the person who set the address: it holds no part of address, body or answer. `isSilent`: the
   * receiver gave no answer, or its host could not be found.
   */
  | { readonly isDelivered: false; readonly isSilent: boolean; readonly reason: string };

/** Sends one POST. It never rejects. */
export type PostCallback = (callback: CallbackRequest) => Promise<CallbackResult>;

/** What {@link makePostCallback} may be given. */
export interface PostCallbackOptions {
  /** By default the resolver of the operating system. */
  readonly resolve?: ResolveHost;
  /** Which addresses may be called; by default those of the public internet. */
  readonly isAddressAllowed?: (address: string) => boolean;
  /** Certificates of authorities in PEM; by default those that Node.js trusts. */
  readonly ca?: string | undefined;
  /** Longest time of an attempt, from the look-up of the host to the status of the answer. Default 10,000 milliseconds. */
  readonly attemptMsMax?: number;
}

const ATTEMPT_MS_MAX = 10_000;
const UNANSWERED: CallbackResult = {
  isDelivered: false,
  isSilent: true,
  reason: 'The connection closed without an answer.',
};

/**
 * Makes {@link PostCallback}. The host is resolved for each attempt, its addresses are checked, and the connection goes to
 * the checked address: a name that changes its address in between leads nowhere else. Redirects are not followed. The
 * answer's status counts alone, 200 to 299; its body is not read.
 */
export function makePostCallback(options: PostCallbackOptions = {}): PostCallback {
  const { resolve = resolveHost, isAddressAllowed = isPublicAddress, ca } = options;
  const { attemptMsMax = ATTEMPT_MS_MAX } = options;
  const late = `There was no answer within ${attemptMsMax / 1_000} seconds.`;
  return async ({ url: text, headers, body }) => {
    const signal = AbortSignal.timeout(attemptMsMax);
    const found = findCallbackTarget(text, resolve, isAddressAllowed);
    const target = await Promise.race([found, whenAborted(signal)]);
    if (target === null) return { isDelivered: false, isSilent: true, reason: late };
    if (!target.isAllowed) {
      return { isDelivered: false, isSilent: target.isUnresolved, reason: target.reason };
    }
    const { url, address } = target;
    return new Promise((settle) => {
      const sending = request(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        // A connection of its own: a kept one might lead to another address.
        agent: false,
        lookup: (_host, { all }, done) => {
          const family = isIP(address);
          if (all === true) done(null, [{ address, family }]);
          else done(null, address, family);
        },
        signal,
        ca,
      });
      sending.on('response', (answer) => {
        answer.destroy();
        settle(toResult(answer.statusCode ?? 0));
      });
      sending.on('error', ({ name, code }: NodeJS.ErrnoException) => {
        const reason = signal.aborted ? late : `The connection failed (${code ?? name}).`;
        settle({ isDelivered: false, isSilent: true, reason });
      });
      // After a 101 Node.js closes the connection without another event. Otherwise the result is known before.
      sending.on('close', () => settle(UNANSWERED));
      sending.end(body);
    });
  };
}

function toResult(status: number): CallbackResult {
  if (status >= 200 && status < 300) return { isDelivered: true };
  const isRedirect = status >= 300 && status < 400;
  const more = isRedirect ? '; redirects are not followed' : '';
  return { isDelivered: false, isSilent: false, reason: `The answer was ${status}${more}.` };
}

function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}
