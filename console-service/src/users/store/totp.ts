import { Secret, TOTP } from 'otpauth';

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** A code of the step before and after is taken too: clocks of phones differ. */
const STEPS_AROUND = 1;
const CODE = /^\d{6}$/;

/** A fresh secret of time-based codes (RFC 6238: SHA-1, six digits, 30 seconds, as every authenticator app has them). */
export function makeTotpSecret(): Buffer {
  return Buffer.from(new Secret({ size: SECRET_BYTES }).bytes);
}

/** The address that an authenticator app reads, as text or as a QR code. */
export function totpAddress(secret: Buffer, userName: string): string {
  return totpOf(secret, userName).toString();
}

/** The time step of a code at an instant. Null: the code is wrong, or of another time. */
export function totpStepOf(secret: Buffer, code: string, nowMs: number): number | null {
  if (!CODE.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: STEPS_AROUND });
  return delta === null ? null : Math.floor(nowMs / (PERIOD_SECONDS * 1_000)) + delta;
}

function totpOf(secret: Buffer, label = 'user'): TOTP {
  return new TOTP({
    issuer: 'Placard',
    label,
    period: PERIOD_SECONDS,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  });
}
