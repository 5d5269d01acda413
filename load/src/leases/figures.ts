/** What generated replicas have done in the time that was measured. */
export interface ReplicaFigures {
  /** Requests for an ad, and how many were filled. */
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

/** What the books say as of now. */
export interface BookFigures {
  /** Rows of the tables of budgets that were inserted, updated or deleted so far, and of those the leases inserted. */
  readonly rowsWritten: number;
  readonly leasesMade: number;
  readonly transactions: number;
  /** Bytes of write-ahead log so far, and of the tables of budgets with their indexes. */
  readonly walBytes: number;
  readonly tableBytes: number;
  readonly openLeases: number;
}

/** What the exchange of leases costs. */
export interface LeaseFigures {
  readonly campaigns: number;
  readonly replicas: number;
  readonly measuredMs: number;
  readonly replica: ReplicaFigures;
  readonly before: BookFigures;
  readonly after: BookFigures;
  /** CPU in cores, by process. */
  readonly cores: Readonly<Record<string, number>>;
  /** Processes that wanted a core, as a mean of a minute, when it ended. */
  readonly loadAfter: number;
}
