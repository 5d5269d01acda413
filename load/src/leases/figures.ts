/** Figures of generated replicas during the measurement. */
export interface ReplicaFigures {
  /** Ad requests; `fills` of them were filled. */
  readonly requests: number;
  readonly fills: number;
  /** Requests that waited for an answer of events-service. */
  readonly waits: number;
  readonly exchanges: number;
  readonly wants: number;
  readonly reports: number;
  readonly peeks: number;
  /** Answers to wants, by verdict. */
  readonly verdicts: Readonly<Record<string, number>>;
  readonly failures: number;
  /** Durations of exchanges and of waits, encoded. */
  readonly exchangeTimes: string;
  readonly waitTimes: string;
}

/** Current figures of the books. */
export interface BookFigures {
  /** Rows of the budget tables that were inserted, updated or deleted so far, and inserted leases. */
  readonly rowsWritten: number;
  readonly leasesMade: number;
  readonly transactions: number;
  /** Bytes of write-ahead log so far, and of the budget tables with their indexes. */
  readonly walBytes: number;
  readonly tableBytes: number;
  readonly openLeases: number;
}

/** The cost of the exchange of leases. */
export interface LeaseFigures {
  readonly campaigns: number;
  readonly replicas: number;
  readonly measuredMs: number;
  readonly replica: ReplicaFigures;
  readonly before: BookFigures;
  readonly after: BookFigures;
  /** CPU in cores, by process. */
  readonly cores: Readonly<Record<string, number>>;
  /** Load average of the last minute at the end. */
  readonly loadAfter: number;
}
