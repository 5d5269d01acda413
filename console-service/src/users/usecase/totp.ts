import { appError } from '@placard/service-kit';
import type { Random } from '@placard/service-kit/pure';
import type { Actor } from '../../access/domain/actor.js';
import { hashSecret } from '../../access/store/secret-hash.js';
import { makeRecoveryCodes } from '../domain/recovery-code.js';
import { makeTotpSecret, totpAddress, totpStepOf } from '../store/totp.js';
import type { ChangeUser } from './change-user.js';

/** The second factor of users: codes of an authenticator app. */
export interface Totp {
  /**
   * Makes a secret for the actor and answers the address that its app reads. It is not asked for before it is confirmed.
   * Errors: `not_found` (the actor is no user), `failed_precondition` (there is a confirmed one; an admin can remove it).
   */
  begin(actor: Actor): Promise<string>;
  /**
   * Confirms the secret with a code, and answers the recovery codes, which are shown this once. From now on each login needs
   * a code. Errors: `not_found`, `failed_precondition` (nothing to confirm), `invalid_argument` (the code is wrong).
   */
  confirm(actor: Actor, code: string): Promise<readonly string[]>;
  /** Removes the second factor of a user who has lost it. Its sessions end. Error `not_found`. */
  remove(actor: Actor, id: string): Promise<void>;
}

/** What {@link Totp} needs. */
export interface TotpDeps {
  readonly changeUser: ChangeUser;
  readonly random: Random;
}

/** Makes {@link Totp}. */
export function makeTotp({ changeUser, random }: TotpDeps): Totp {
  return {
    async begin(actor) {
      const secret = makeTotpSecret();
      await changeUser({ actor, id: actor.id, action: 'totp_removed' }, async (transaction, { user }) => {
        if (user.hasTotp)
          throw appError('failed_precondition', 'There is a second factor already. An admin can remove it.');
        await transaction.setTotp(user.id, secret);
        return false;
      });
      return totpAddress(secret, actor.name);
    },
    async confirm(actor, code) {
      const codes = makeRecoveryCodes(random);
      const change = { actor, id: actor.id, action: 'totp_confirmed' } as const;
      await changeUser(change, async (transaction, { user, totpSecret }, atMs) => {
        if (totpSecret === null || user.hasTotp)
          throw appError(
            'failed_precondition',
            'There is no second factor that waits for its first code. Begin with a new one.',
          );
        const step = totpStepOf(totpSecret, code, atMs);
        if (step === null)
          throw appError(
            'invalid_argument',
            'The code is wrong. Check the clock of the phone and try the next one.',
          );
        await transaction.confirmTotp(user.id, step, codes.map(hashSecret));
        return true;
      });
      return codes;
    },
    remove: (actor, id) =>
      changeUser({ actor, id, action: 'totp_removed' }, async (transaction, { totpSecret }) => {
        if (totpSecret === null) return false;
        await transaction.setTotp(id, null);
        await transaction.endSessionsOf(id);
        return true;
      }),
  };
}
