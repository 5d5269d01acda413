import type { LedgerCheck, RowCheck } from '../domain/verification.js';
import { startRowsPass, afterPiece, type RowsPass } from '../domain/rows-pass.js';
import type { VerificationStore } from '../store/verification.js';

/** Checks the next piece of the books from the rows, and begins again after the last. Error `unavailable`. */
export type CheckRowsInTurn = () => Promise<void>;

/** What {@link makeCheckRowsInTurn} needs. */
export interface CheckRowsInTurnDeps {
  readonly books: Pick<VerificationStore, 'verifyRows'>;
  /** Receives the identities that the piece looked at. An identity fails until a whole pass finds no fault of it. */
  readonly onChecked: (checks: readonly LedgerCheck[]) => void;
}

/** Makes {@link CheckRowsInTurn}. A piece that fails is repeated. Design: docs/money.md#what-the-verification-proves. */
export function makeCheckRowsInTurn({ books, onChecked }: CheckRowsInTurnDeps): CheckRowsInTurn {
  let pass: RowsPass = startRowsPass();
  return async () => {
    const piece = await books.verifyRows(pass.next);
    const faulty = afterPiece(pass, piece);
    pass = faulty.pass;
    onChecked(piece.checks.map((check) => toLedgerCheck(check, !faulty.failed.has(check.name))));
  };
}

function toLedgerCheck({ name, faults, faultCount, rows }: RowCheck, ok: boolean): LedgerCheck {
  if (ok) return { name, ok, detail: `rows: ${rows}` };
  if (faultCount === 0n)
    return { name, ok, detail: 'another piece of this pass or the one before has faults' };
  return { name, ok, detail: `${faultCount} faults: ${faults.join('; ')}` };
}
