import type { AuditPlace, AuditRow } from '../domain/audit-row.js';

/** Which part of the audit is read. Null: without this limit. */
export interface AuditPage {
  /** A part of the actor, whatever its case. */
  readonly actor: string | null;
  /** What was done, one of these. */
  readonly what: readonly string[] | null;
  /** Epoch ms. */
  readonly fromMs: number | null;
  /** Epoch ms, not included. */
  readonly toMs: number | null;
  /** Only rows behind this one. */
  readonly after: AuditPlace | null;
  /** Most rows, at least 1. */
  readonly rowsMax: number;
}

/** A part of the audit, newest first. */
export interface AuditRows {
  readonly rows: readonly AuditRow[];
  /** Whether there are older rows. */
  readonly hasMore: boolean;
}

/** Reads both tables of the audit as one. Error `unavailable`. */
export type FetchAudit = (page: AuditPage) => Promise<AuditRows>;
