/** Whether a call whose answer is lost is sent again, and why. */
interface Rule {
  readonly isRetried: boolean;
  /** For readers of this file. */
  readonly because: string;
}

const retried = (because: string): Rule => ({ isRetried: true, because });
const notRetried = (because: string): Rule => ({ isRetried: false, because });

const READS = retried('It reads only.');
const BY_CALLER = notRetried('Its caller sends it again until it is booked.');
const ANSWER_DIFFERS = notRetried('The second answer says that it was booked before.');
const FINAL_ANSWER = notRetried(
  // Contract: docs/contract/final-answers.md#a-rejection-is-final.
  'The first attempt may be accepted. Then the answer to the second is `duplicate`, and clients take that as final.',
);

/**
 * The rules of all unary methods, by full path. grpc-js sends a message that certainly reached no server again, whatever
 * the rule is. Calls that wait for a stream have not been sent at all.
 */
const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    '/placard.session.v1.SessionService/StartSession': retried(
      'Nothing is stored. At worst, a package mismatch is logged twice.',
    ),
    '/placard.serving.v1.ServingService/RequestAd': notRetried(
      'Each attempt may reserve a price, caps and an open fill until its ad expires.',
    ),
    '/placard.serving.v1.ServingService/CommitReservations': retried(
      'An outcome counts once per request id.',
    ),
    '/placard.events.v1.EventsService/RecordImpression': FINAL_ANSWER,
    '/placard.events.v1.EventsService/RecordClick': FINAL_ANSWER,
    '/placard.events.v1.EventsService/RecordReward': FINAL_ANSWER,
    '/placard.events.v1.EventsService/RecordFallback': notRetried('It would be counted twice.'),
    '/placard.events.v1.SpendService/ExchangeLeases': notRetried(
      'Its caller repeats unanswered wants. The first attempt may run late and grant money without a reader of the answer.',
    ),
    '/placard.events.v1.SpendService/ReportServing': retried('It is applied once per reporter and sequence.'),
    '/placard.events.v1.SpendService/GetTrafficCurves': READS,
    '/placard.events.v1.LedgerService/RecordDeposit': BY_CALLER,
    '/placard.events.v1.LedgerService/RecordAdjustment': BY_CALLER,
    '/placard.events.v1.LedgerService/ListBalances': READS,
    '/placard.events.v1.LedgerService/GetStatement': READS,
    '/placard.events.v1.LedgerService/VerifyLedger': READS,
    '/placard.events.v1.LedgerService/VerifyLedgerRows': READS,
    '/placard.events.v1.ReportService/GetReport': READS,
    '/placard.fraud.v1.FraudService/JudgeAdRequest': retried('A request counts once per request id.'),
    '/placard.fraud.v1.FraudService/JudgeEvents': retried('An event counts once, and passes again.'),
    '/placard.fraud.v1.FraudService/RecordSuspiciousEvents': notRetried('They would be counted twice.'),
    '/placard.console.v1.ConsoleService/ApplyCatalog': notRetried(
      'It would be a second change of the catalog.',
    ),
    '/placard.console.v1.ConsoleService/ExportCatalog': READS,
    '/placard.console.v1.ConsoleService/Deposit': ANSWER_DIFFERS,
    '/placard.console.v1.ConsoleService/Adjust': ANSWER_DIFFERS,
    '/placard.console.v1.ConsoleService/GetBalances': READS,
    '/placard.console.v1.ConsoleService/GetStatement': READS,
    '/placard.console.v1.ConsoleService/VerifyBooks': READS,
    '/placard.console.v1.ConsoleService/VerifyBookRows': READS,
    '/placard.console.v1.ConsoleService/Report': READS,
  } satisfies Record<string, Rule>),
);

/** Whether a call of a method (full path) is sent again when its answer is lost. False for a method without a rule. */
export function isRetried(path: string): boolean {
  return RULES.get(path)?.isRetried ?? false;
}

/** The full paths that have a rule. */
export const RULED_PATHS: readonly string[] = [...RULES.keys()];
