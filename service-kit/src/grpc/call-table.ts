import type { Kind } from '../overload/importance.js';
import { CALLERS, type CallerName } from './access/callers.js';

/** Whether a call whose answer is lost is sent again, and why. */
interface Retry {
  readonly isRetried: boolean;
  /** For readers of this file. */
  readonly because: string;
}

/** What holds for the calls of one method. */
interface MethodRule {
  /** Who may call it. */
  readonly callers: readonly CallerName[];
  /** The kind of its calls in an overload. Null: they are never refused. A refused call has begun nothing. */
  readonly kind: Kind | null;
  readonly retry: Retry;
}

/** A row of the table: what holds for the calls of one method. */
export interface CallRule extends MethodRule {
  /** Full path: `/placard.events.v1.LedgerService/RecordDeposit`. */
  readonly path: string;
  /** Whether the method is served on the port `WRITE_GRPC_PORT` alone. */
  readonly isOnWritePort: boolean;
}

type Methods = Readonly<Record<string, MethodRule>>;

const on = (service: string, methods: Methods): readonly CallRule[] => rulesOf(service, methods, false);
const onWritePort = (service: string, methods: Methods): readonly CallRule[] =>
  rulesOf(service, methods, true);

/**
 * Such a call frees or records money, hands on rewards, counts what was served or refused, or is a command of an operator. These
 * calls are few: their callers make one at a time, or send many items in one call. Or it carries other calls, checks the health,
 * asks for reflection, or follows the catalog.
 */
const NEVER_REFUSED = null;

const retried = (because: string): Retry => ({ isRetried: true, because });
const notRetried = (because: string): Retry => ({ isRetried: false, because });

const READS = retried('It reads only.');
const BY_CALLER = notRetried('Its caller sends it again until it is booked.');
const FINAL_ANSWER = notRetried(
  // Contract: docs/contract/final-answers.md#a-rejection-is-final.
  'The first attempt may be accepted. Then the answer to the second is `duplicate`, and clients take that as final.',
);
const CARRIES = notRetried('It carries other calls. Each of them has a row of its own.');
const STREAMS = notRetried('It is a stream, which its reader opens again.');

/** An event that a client reports. */
const EVENT: MethodRule = { callers: ['gateway'], kind: 'events', retry: FINAL_ANSWER };
/** What console-service reads from the owner of the data, for an operator. */
const CONSOLE_READS: MethodRule = { callers: ['console-service'], kind: 'reports', retry: READS };
/** A booking that console-service orders. */
const CONSOLE_BOOKS: MethodRule = { callers: ['console-service'], kind: NEVER_REFUSED, retry: BY_CALLER };
const CARRIER: MethodRule = { callers: CALLERS, kind: NEVER_REFUSED, retry: CARRIES };
const HEALTH: MethodRule = {
  callers: CALLERS,
  kind: NEVER_REFUSED,
  retry: notRetried('The next check follows in a moment.'),
};
const REFLECTION: MethodRule = { callers: ['operator'], kind: NEVER_REFUSED, retry: STREAMS };

/**
 * The rules of all methods: who may call them, on which port they are served, which calls an overload refuses first, and
 * which are sent again.
 *
 * A connection with TLS is judged by the name in its certificate; nothing else can be called. `docs/architecture.md`
 * prints callers and ports, and tests compare the table with that page and with the contracts in `protos/`.
 *
 * A call is sent again, once, on another replica when its answer is lost. grpc-js sends a message that certainly reached
 * no server again, whatever the rule is. Calls that wait for a stream have not been sent at all.
 */
export const CALL_TABLE: readonly CallRule[] = [
  ...on('placard.session.v1.SessionService', {
    StartSession: {
      callers: ['gateway'],
      kind: 'sessions',
      retry: retried('Nothing is stored. At worst, a package mismatch is logged twice.'),
    },
  }),
  ...on('placard.serving.v1.ServingService', {
    RequestAd: {
      callers: ['gateway'],
      kind: 'ads',
      retry: notRetried('Each attempt may reserve a price, caps and an open fill until its ad expires.'),
    },
    CommitReservations: {
      callers: ['events-service'],
      kind: NEVER_REFUSED,
      retry: retried('An outcome counts once per request id.'),
    },
  }),
  ...on('placard.events.v1.EventsService', {
    RecordImpression: EVENT,
    RecordClick: EVENT,
    RecordReward: EVENT,
    RecordFallback: { ...EVENT, retry: notRetried('It would be counted twice.') },
  }),
  ...on('placard.events.v1.SpendService', {
    ExchangeLeases: {
      callers: ['serving-service'],
      kind: NEVER_REFUSED,
      retry: notRetried(
        'Its caller repeats unanswered wants. The first attempt may run late and grant money without a reader of the answer.',
      ),
    },
    ReportServing: {
      callers: ['serving-service'],
      kind: NEVER_REFUSED,
      retry: retried('It is applied once per reporter and sequence.'),
    },
    GetTrafficCurves: { callers: ['serving-service', 'console-service'], kind: 'reports', retry: READS },
  }),
  ...onWritePort('placard.events.v1.LedgerService', {
    RecordDeposit: CONSOLE_BOOKS,
    RecordAdjustment: CONSOLE_BOOKS,
    RecordTransfer: CONSOLE_BOOKS,
    CloseMonth: {
      callers: ['console-service'],
      kind: NEVER_REFUSED,
      retry: notRetried('The second answer says that it was closed before.'),
    },
  }),
  ...on('placard.events.v1.LedgerService', {
    ListBalances: CONSOLE_READS,
    GetStatement: CONSOLE_READS,
    ListStatements: CONSOLE_READS,
    VerifyLedger: CONSOLE_READS,
    VerifyLedgerRows: CONSOLE_READS,
  }),
  ...on('placard.events.v1.ReportService', {
    GetReport: CONSOLE_READS,
    ReportErrors: {
      callers: ['gateway'],
      kind: NEVER_REFUSED,
      retry: retried('It is applied once per reporter and sequence.'),
    },
    GetSuspiciousReport: CONSOLE_READS,
  }),
  ...on('placard.events.v1.RewardService', {
    TakeRewards: { callers: ['console-service'], kind: NEVER_REFUSED, retry: READS },
    ConfirmRewards: {
      callers: ['console-service'],
      kind: NEVER_REFUSED,
      retry: retried('A reward that was confirmed before is ignored.'),
    },
  }),
  ...on('placard.events.v1.StoryService', { GetStory: CONSOLE_READS }),
  ...on('placard.events.v1.DeliveryService', {
    ListCampaignSpend: CONSOLE_READS,
    ListPlacementTraffic: CONSOLE_READS,
    GetAuctionHistory: CONSOLE_READS,
  }),
  ...on('placard.explain.v1.ExplainService', {
    RecordRequests: {
      callers: ['serving-service'],
      kind: 'reports',
      retry: retried('The first explanation of a request id stays.'),
    },
    GetFunnel: CONSOLE_READS,
    GetRequest: CONSOLE_READS,
  }),
  ...on('placard.explain.v1.TryService', { Try: CONSOLE_READS }),
  ...on('placard.fraud.v1.FraudService', {
    JudgeAdRequest: {
      callers: ['serving-service'],
      kind: 'ads',
      retry: retried('A request counts once per request id.'),
    },
    JudgeEvents: {
      callers: ['events-service'],
      kind: 'events',
      retry: retried('An event counts once, and passes again.'),
    },
    RecordSuspiciousEvents: {
      callers: ['session-service', 'events-service'],
      kind: NEVER_REFUSED,
      retry: notRetried('They would be counted twice.'),
    },
    FindSuspiciousEvents: { callers: ['events-service'], kind: 'reports', retry: READS },
    CountSuspiciousEvents: { callers: ['events-service'], kind: 'reports', retry: READS },
  }),
  ...on('placard.catalog.v1.CatalogService', {
    Watch: {
      callers: ['session-service', 'serving-service', 'events-service'],
      kind: NEVER_REFUSED,
      retry: STREAMS,
    },
  }),
  ...on('placard.batch.v1.BatchService', { Exchange: CARRIER, Call: CARRIER }),
  ...on('grpc.health.v1.Health', { Check: HEALTH, Watch: HEALTH, List: HEALTH }),
  ...on('grpc.reflection.v1.ServerReflection', { ServerReflectionInfo: REFLECTION }),
  ...on('grpc.reflection.v1alpha.ServerReflection', { ServerReflectionInfo: REFLECTION }),
];

const RULES: ReadonlyMap<string, CallRule> = new Map(CALL_TABLE.map((rule) => [rule.path, rule]));

/** The row of a method (full path). Undefined: nobody may call it. */
export function ruleOf(path: string): CallRule | undefined {
  return RULES.get(path);
}

/** Whether a method is served on the port `WRITE_GRPC_PORT` alone. */
export function isOnWritePort(path: string): boolean {
  return RULES.get(path)?.isOnWritePort === true;
}

/** The kind of the calls of a method in an overload. Null: they are never refused, nor are those of a method without a row. */
export function kindOf(path: string): Kind | null {
  return RULES.get(path)?.kind ?? null;
}

/** Whether a call of a method is sent again when its answer is lost. False for a method without a row. */
export function isRetried(path: string): boolean {
  return RULES.get(path)?.retry.isRetried === true;
}

function rulesOf(service: string, methods: Methods, isWriting: boolean): readonly CallRule[] {
  return Object.entries(methods).map(([method, rule]) => ({
    ...rule,
    path: `/${service}/${method}`,
    isOnWritePort: isWriting,
  }));
}
