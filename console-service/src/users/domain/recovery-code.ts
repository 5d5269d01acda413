import type { Random } from '@placard/service-kit/pure';

/** Codes of one set. */
const COUNT = 10;
const BYTES = 10;
const GROUP = /.{4}/g;

/** A fresh set of codes, each with 80 unpredictable bits: `0123-4567-89ab-cdef-0123`. */
export function makeRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: COUNT }, () => spelled(Buffer.from(random.bytes(BYTES)).toString('hex')));
}

/** A code in its one spelling, however a person has typed it. Null: it is none. */
export function readRecoveryCode(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '').toLowerCase();
  return /^[0-9a-f]{20}$/.test(digits) ? spelled(digits) : null;
}

function spelled(digits: string): string {
  return (digits.match(GROUP) ?? []).join('-');
}
