import { concernKey, CONCERN_KINDS } from '../domain/concern.js';
import { toConcernRow, type ConcernRow } from '../domain/concern-row.js';
import type { ConcernStore } from '../store/concerns.js';
import type { FindConcerns } from './find-concerns.js';

/** The health of delivery at one instant (epoch ms): concerns by kind, then by subject. */
export interface DeliveryHealth {
  readonly asOfMs: number;
  readonly rows: readonly ConcernRow[];
}

/** Finds every concern and says since when it is known. Errors: `unavailable`, `deadline_exceeded`. */
export type GetHealth = () => Promise<DeliveryHealth>;

/** What {@link makeGetHealth} needs. */
export interface GetHealthDeps {
  readonly findConcerns: FindConcerns;
  readonly concerns: Pick<ConcernStore, 'readOpen'>;
}

/** Makes {@link GetHealth}. */
export function makeGetHealth({ findConcerns, concerns }: GetHealthDeps): GetHealth {
  return async () => {
    const [{ asOfMs, concerns: found }, open] = await Promise.all([findConcerns(), concerns.readOpen()]);
    const since = new Map(open.map(({ key, beganAtMs }) => [key, beganAtMs]));
    const rows = found.map((concern) => toConcernRow(concern, since.get(concernKey(concern)) ?? null));
    return { asOfMs, rows: rows.sort(inOrder) };
  };
}

function inOrder(left: ConcernRow, right: ConcernRow): number {
  const byKind = CONCERN_KINDS.indexOf(left.kind) - CONCERN_KINDS.indexOf(right.kind);
  return byKind !== 0 ? byKind : left.subject < right.subject ? -1 : 1;
}
