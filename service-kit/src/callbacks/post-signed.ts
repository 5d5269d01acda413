import type { CallbackResult, PostCallback } from './post-callback.js';
import { signBody, type SigningKey } from './signature.js';

/** A message to one receiver. */
export interface SignedMessage {
  /** The same for every repetition of it. */
  readonly id: string;
  readonly url: string;
  /** JSON. */
  readonly body: string;
}

/** Signs a message with the key in use and makes one attempt to send it. Error `unavailable`: there is no key now. */
export type PostSigned = (message: SignedMessage) => Promise<CallbackResult>;

/** What {@link makePostSigned} needs. */
export interface PostSignedDeps {
  readonly signingKey: () => Promise<SigningKey>;
  readonly post: PostCallback;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Makes {@link PostSigned}. The header `Placard-Signature` holds the signature. */
export function makePostSigned({ signingKey, post, now }: PostSignedDeps): PostSigned {
  return async ({ id, url, body }) => {
    const signature = await signBody(await signingKey(), body, { id, atMs: now() });
    const headers = { 'Content-Type': 'application/json', 'Placard-Signature': signature };
    return post({ url, headers, body });
  };
}
