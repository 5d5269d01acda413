import { appError } from '@placard/service-kit';
import type { PublicJwk, SigningKey } from '@placard/service-kit/callbacks';
import type { Clock } from '@placard/service-kit/pure';
import type { NoticeStore } from '../store/webhooks.js';

/** The keys that sign notices and reward callbacks. Every method may fail with `unavailable`. */
export interface SigningKeys {
  /** The key in use. The first call makes it. */
  current(): Promise<SigningKey>;
  /** The public parts of all keys, the one in use first. */
  publicParts(): Promise<readonly PublicJwk[]>;
}

/** What {@link makeSigningKeys} needs. */
export interface SigningKeysDeps {
  readonly notices: Pick<NoticeStore, 'readKeys' | 'addFirstKey'>;
  readonly makeKey: () => Promise<SigningKey>;
  readonly publicJwkOf: (key: SigningKey) => PublicJwk;
  readonly clock: Clock;
}

/** Makes {@link SigningKeys}. */
export function makeSigningKeys({ notices, makeKey, publicJwkOf, clock }: SigningKeysDeps): SigningKeys {
  const read = async (): Promise<readonly [SigningKey, ...SigningKey[]]> => {
    const [current, ...older] = await notices.readKeys();
    if (current !== undefined) return [current, ...older];
    await notices.addFirstKey(await makeKey(), clock.now());
    const [first, ...others] = await notices.readKeys();
    if (first === undefined)
      throw appError(
        'unavailable',
        'The key that signs notices and reward callbacks could not be stored. Try again.',
      );
    return [first, ...others];
  };
  return {
    current: async () => (await read())[0],
    publicParts: async () => (await read()).map(publicJwkOf),
  };
}
