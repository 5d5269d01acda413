import { ReportServiceService } from '@placard/protos/events/v1/events.js';
import { SuspiciousKey as WireKey } from '@placard/protos/fraud/v1/fraud.js';
import { appError, type Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';

/** The keys by which suspicious events are counted. */
export type SuspiciousKey = 'rule' | 'app' | 'placement' | 'session';

/** A report of suspicious events. The range is epoch ms, half-open. Null: every rule, every app. */
export interface SuspiciousQuery {
  readonly by: readonly SuspiciousKey[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly rule: string | null;
  readonly app: string | null;
}

/** Suspicious events with equal keys. */
export interface SuspiciousRow {
  /** In the order of the split. Unknown values are empty. */
  readonly keys: readonly string[];
  /** All events. Null: they are not counted by placement or session. */
  readonly events: number | null;
  /** Entries of the log. */
  readonly entries: number;
  /** Arrival of the first and the last entry, epoch ms. Null: there is none. */
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

/** The rows with most events, and how many others there are. */
export interface SuspiciousRows {
  readonly rows: readonly SuspiciousRow[];
  readonly rowsLeftOut: number;
}

/** Requests a report of suspicious events, which fraud-service counts. Errors: `invalid_argument`, `unavailable`. */
export type FetchSuspicious = (query: SuspiciousQuery) => Promise<SuspiciousRows>;

const BUDGET_MS = 25_000;

const KEY_ON_WIRE: Readonly<Record<SuspiciousKey, WireKey>> = {
  rule: WireKey.RULE,
  app: WireKey.APP,
  placement: WireKey.PLACEMENT,
  session: WireKey.SESSION,
};

/** Opens the client. events-service passes the question on to fraud-service. */
export function openSuspicious(scope: Scope, address: string): FetchSuspicious {
  const client = openGrpcClient(scope, ReportServiceService, {
    address,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  return async ({ by, fromMs, toMs, rule, app }) => {
    const { report } = await client.getSuspiciousReport({
      query: {
        by: by.map((key) => KEY_ON_WIRE[key]),
        fromMs: BigInt(fromMs),
        toMs: BigInt(toMs),
        rule: rule ?? undefined,
        appId: app ?? undefined,
      },
    });
    if (report === undefined) throw appError('server_error', 'events-service sent no report.');
    return {
      rows: report.rows.map((row) => ({
        keys: row.keys,
        events: numberOf(row.events),
        entries: Number(row.entries),
        firstAtMs: numberOf(row.firstAtMs),
        lastAtMs: numberOf(row.lastAtMs),
      })),
      rowsLeftOut: Number(report.rowsLeftOut),
    };
  };
}

function numberOf(value: bigint | undefined): number | null {
  return value === undefined ? null : Number(value);
}
