import { appError, toAppError, type AppError } from '@placard/service-kit';
import { dayOf, type Clock } from '@placard/service-kit/pure';
import type { EventToJudge, FraudClient } from '../clients/fraud.js';
import type { FillOutcome } from '../clients/serving.js';
import { toEventRow, type EventRow } from '../domain/event-row.js';
import { NO_HISTORY, type History, type ReadableEvent } from '../domain/event.js';
import { judgeHistory, judgeUnstored, repeated, type Judgement, type Rejection } from '../domain/judge.js';
import { eventKey, type EventStore } from '../store/events.js';

/** An event that waits for its group. */
export interface PendingEvent {
  readonly event: ReadableEvent;
  /** When the caller stops waiting, epoch ms. */
  readonly deadlineAtMs: number;
  /** W3C `traceparent` of the call; null: it is not traced. */
  readonly traceparent: string | null;
}

/** The result of an event. A rejection is a final answer; after an error nothing is known of the event. */
export type Outcome = 'accepted' | Rejection | AppError;

/** What {@link makeJudgeGroup} needs. */
export interface JudgeGroupDeps {
  readonly store: EventStore;
  readonly fraud: Pick<FraudClient, 'judge'>;
  readonly clock: Clock;
  /** Receives the impressions that were stored just now. */
  readonly onJudged: (outcomes: readonly FillOutcome[]) => void;
  /** Called when an event that must be settled was stored. */
  readonly onWaiting: () => void;
}

type Histories = ReadonlyMap<string, History>;
type Verdicts = Map<string, Outcome>;

/** An event with less time than this before its deadline is not begun. */
const WORK_MS_MIN = 15;

/**
 * Judges and stores a group of any size with one look-up, one call for the fraud rules and one insert. Copies of one
 * event within the group are judged once. `accepted` is answered only after the insert.
 * Contract: docs/contract/order-of-checks.md#impression, docs/contract/order-of-checks.md#click-and-reward,
 * docs/contract/final-answers.md#suspicious-is-kept, docs/contract/failures.md#fraud-service.
 */
export function makeJudgeGroup(
  deps: JudgeGroupDeps,
): (group: readonly PendingEvent[]) => Promise<readonly Outcome[]> {
  return async (group) => {
    const nowMs = deps.clock.now();
    const firsts = new Map<string, PendingEvent>();
    for (const pending of group) {
      if (pending.deadlineAtMs - nowMs < WORK_MS_MIN) continue;
      const key = eventKey(pending.event);
      if (!firsts.has(key)) firsts.set(key, pending);
    }
    const verdicts = firsts.size === 0 ? new Map<string, Outcome>() : await judge(deps, [...firsts.values()]);
    return group.map((pending) => {
      const key = eventKey(pending.event);
      const verdict = verdicts.get(key);
      if (verdict === undefined) return appError('deadline_exceeded', 'The event waited too long.');
      return firsts.get(key) === pending ? verdict : ofCopy(verdict);
    });
  };
}

/** A copy of an accepted event is its duplicate; every other answer is the same for both. */
function ofCopy(verdict: Outcome): Outcome {
  return verdict === 'accepted' ? repeated({ verdict: 'accepted', rule: null, arrivedAtMs: 0 }) : verdict;
}

async function judge(deps: JudgeGroupDeps, group: readonly PendingEvent[]): Promise<Verdicts> {
  const events = group.map(({ event }) => event);
  const histories = await readHistories(deps.store, events);
  const verdicts: Verdicts = new Map();
  const open: PendingEvent[] = [];
  for (const pending of group) {
    const rejection = judgeHistory(pending.event, historyOf(histories, pending.event));
    if (rejection === null) open.push(pending);
    else verdicts.set(eventKey(pending.event), rejection);
  }
  if (open.length === 0) return verdicts;
  try {
    await storeJudged(deps, { open, histories, verdicts });
  } catch (error) {
    // Only events that needed the verdict or the insert fail; the others are answered.
    for (const { event } of open) verdicts.set(eventKey(event), toAppError(error));
  }
  return verdicts;
}

interface OpenGroup {
  readonly open: readonly PendingEvent[];
  readonly histories: Histories;
  readonly verdicts: Verdicts;
}

async function storeJudged(deps: JudgeGroupDeps, { open, histories, verdicts }: OpenGroup): Promise<void> {
  const deadlineAtMs = Math.max(...open.map((pending) => pending.deadlineAtMs));
  const asked = open.map(({ event }) => toJudge(event, historyOf(histories, event)));
  const judgements = await deps.fraud.judge(asked, deadlineAtMs);
  const judged = open.map(({ event, traceparent }, place) => ({
    event,
    traceparent,
    judgement: judgementOf(event, judgements[place]),
  }));
  const rows = judged.map(({ event, judgement, traceparent }) => toEventRow(event, judgement, traceparent));
  const stored = await deps.store.insert(rows);
  announce(deps, judged, rows, stored);
  const missed = judged.filter(({ event }) => !stored.has(eventKey(event))).map(({ event }) => event);
  const later = missed.length === 0 ? histories : await readHistories(deps.store, missed);
  for (const { event, judgement } of judged) {
    const key = eventKey(event);
    if (!stored.has(key)) verdicts.set(key, judgeUnstored(event.type, historyOf(later, event)));
    else verdicts.set(key, judgement.passes ? 'accepted' : { reason: 'suspicious', rule: judgement.rule });
  }
}

/**
 * No rule applies to rewards. For a reward its impression is judged again: it counts only once, because counters go by
 * the request id. So a reward, too, is answered only while the counters can be reached, and its verdict is always
 * `accepted`. Contract: docs/contract/failures.md#redis.
 */
function toJudge(event: ReadableEvent, history: History): EventToJudge {
  const { claims, arrivedAtMs } = event;
  const impressionAtMs = history.impression?.arrivedAtMs ?? arrivedAtMs;
  switch (event.type) {
    case 'impression':
      return { type: 'impression', claims, arrivedAtMs, impressionArrivedAtMs: null };
    case 'click':
      return { type: 'click', claims, arrivedAtMs, impressionArrivedAtMs: impressionAtMs };
    case 'reward':
      return { type: 'impression', claims, arrivedAtMs: impressionAtMs, impressionArrivedAtMs: null };
  }
}

function judgementOf(event: ReadableEvent, judgement: Judgement | undefined): Judgement {
  if (judgement === undefined) throw appError('unavailable', 'fraud-service did not judge all events.');
  return event.type === 'reward' ? { passes: true, rule: '' } : judgement;
}

function announce(
  deps: JudgeGroupDeps,
  judged: readonly { readonly event: ReadableEvent; readonly judgement: Judgement }[],
  rows: readonly EventRow[],
  stored: ReadonlySet<string>,
): void {
  const impressions = judged.filter(
    ({ event }) => event.type === 'impression' && stored.has(eventKey(event)),
  );
  deps.onJudged(
    impressions.map(({ event, judgement }) => ({
      claims: event.claims,
      verdict: judgement.passes ? 'accepted' : 'suspicious',
    })),
  );
  if (rows.some((row) => row.verdict === 'accepted' && !row.isTest && stored.has(eventKey(row))))
    deps.onWaiting();
}

function readHistories(store: EventStore, events: readonly ReadableEvent[]): Promise<Histories> {
  const keys = new Map(events.map(({ claims }) => [claims.requestId, claims.filledAtMs]));
  return store.history([...keys].map(([requestId, filledAtMs]) => ({ requestId, day: dayOf(filledAtMs) })));
}

function historyOf(histories: Histories, event: ReadableEvent): History {
  return histories.get(event.claims.requestId) ?? NO_HISTORY;
}
