import { readRequestId, requestIdMadeAtMs, toIso } from '@placard/service-kit/pure';
import type { Schemas } from '../../manage/domain/operations.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';
import type { LogLine } from '../domain/log-lines.js';

type Story = Schemas['Story'];
type Callback = Schemas['StoryRewardCallback'];
type StoryEvent = Schemas['StoryEvent'];

/** The story of a request as JSON. Instants are ISO 8601, amounts decimals with nine decimals. */
export interface StoryShape {
  readonly request_id: string;
  /** When the id was made, by the clock of the gateway. */
  readonly requested_at: string;
  /** The ISO 4217 code of the currency of all amounts. */
  readonly currency: string;
  /** Null: no event of the ad is stored. */
  readonly ad: AdShape | null;
  /** What became of the callback of the reward. Null: there is none. */
  readonly reward_callback: Callback | null;
  /** In the order of time. */
  readonly steps: readonly StepShape[];
  /** What is not known, what that means, and where to look. */
  readonly notes: readonly string[];
}

interface AdShape {
  readonly publisher: string;
  readonly app: string;
  readonly placement: string;
  readonly format: string;
  readonly country: string | null;
  readonly advertiser: string;
  readonly campaign: string;
  readonly creative: string;
  readonly is_test: boolean;
  /** Null: no impression is stored, and only that has the price. */
  readonly price: string | null;
}

interface StepShape {
  readonly at: string;
  /** `requested`, `answered`, `impression`, `click`, `reward`, `refused`, `booked`, `settled`, `lease_closed` or `log`. */
  readonly step: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The route of ad requests in the gateway's log lines. */
const AD_REQUEST = '/v1/ads/request';

/** The stored story and the lines of the logs, in one order of time. */
export function toStory(requestId: string, stored: Story, lines: readonly LogLine[]): StoryShape {
  const id = readRequestId(requestId);
  const requestedAt = toIso(id === null ? 0 : requestIdMadeAtMs(id));
  const steps = [
    { at: requestedAt, step: 'requested', details: {} },
    ...answerSteps(stored),
    ...stored.events.flatMap(eventSteps),
    ...stored.refused.map(({ event, rule, at }) => ({
      at,
      step: 'refused',
      details: { event, reason: rule },
    })),
    ...bookingSteps(stored),
    ...leaseSteps(stored),
    ...lines.map(({ time, name, level, msg, fields }) => ({
      at: time,
      step: 'log',
      details: { process: name, level, msg, ...fields },
    })),
  ];
  return {
    request_id: requestId,
    requested_at: requestedAt,
    currency: stored.currency,
    ad: adOf(stored.events),
    reward_callback: stored.reward_callback,
    steps: steps.sort((left, right) => (left.at < right.at ? -1 : Number(left.at > right.at))),
    notes: notesOn(stored, lines, requestId),
  };
}

/** Whether anything is known of the request. */
export function isKnown({ ad, reward_callback: callback, steps }: StoryShape): boolean {
  return ad !== null || callback !== null || steps.length > 1;
}

function adOf(events: readonly StoryEvent[]): AdShape | null {
  const [event] = events;
  if (event === undefined) return null;
  return {
    publisher: event.publisher,
    app: event.app,
    placement: event.placement,
    format: event.format,
    country: event.country,
    advertiser: event.advertiser,
    campaign: event.campaign,
    creative: event.creative,
    is_test: event.is_test,
    price: events.find(({ type }) => type === 'impression')?.price ?? null,
  };
}

function answerSteps({ answer }: Story): StepShape[] {
  if (answer === null) return [];
  const { at, app, placement, result, winner } = answer;
  return [{ at, step: 'answered', details: { app, placement, result, winner: winner ?? undefined } }];
}

function eventSteps(event: StoryEvent): StepShape[] {
  const { type, verdict } = event;
  const arrived = {
    at: event.arrived_at,
    step: type,
    details: {
      verdict,
      rule: event.rule ?? undefined,
      completion: event.completion ?? undefined,
      price: event.price ?? undefined,
      publisher_share: event.publisher_share ?? undefined,
      trace_id: event.trace_id ?? undefined,
    },
  };
  const isCounted = verdict === 'accepted' && !event.is_test;
  if (!isCounted || event.settled_at === null) return [arrived];
  return [arrived, { at: event.settled_at, step: 'settled', details: { event: type } }];
}

function bookingSteps({ booking }: Story): StepShape[] {
  if (booking === null) return [];
  return [{ at: booking.booked_at, step: 'booked', details: { entries: booking.entries } }];
}

function leaseSteps({ lease }: Story): StepShape[] {
  if (lease === null || lease.closed_at === null) return [];
  const details = { run: lease.run, minute: lease.minute };
  return [{ at: lease.closed_at, step: 'lease_closed', details }];
}

function notesOn(stored: Story, lines: readonly LogLine[], requestId: string): string[] {
  const notes: string[] = [];
  const impression = stored.events.find(({ type }) => type === 'impression');
  if (stored.is_dropped) notes.push('The events of that day were dropped at the end of their retention.');
  else if (impression === undefined && mayBeFilled(stored, lines, requestId)) {
    const why = stored.answer === null ? 'no ad was filled, the ad was' : 'the ad was';
    notes.push(
      `No impression is stored: ${why} not shown, or its report did not arrive. The price of such an ad is headroom again when its lease is closed, 60 to 150 seconds after the expiry of the ad.`,
    );
  }
  if (impression?.verdict === 'suspicious')
    notes.push('The impression is suspicious: nobody pays, and its price is headroom again.');
  if (impression?.is_test === true) notes.push('It is a test ad: nobody pays, and no report counts it.');
  if (stored.events.some(({ settled_at: settledAt }) => settledAt === null)) {
    notes.push('Some events wait for the settlement worker; docs/runbooks/settlement-stuck.md helps.');
  }
  if (stored.is_refused_unknown)
    notes.push('fraud-service could not be asked, so refused events are missing here.');
  const ads = new Set(lines.flatMap(({ fields }) => (fields['adRequestId'] ?? []) as string | []));
  ads.delete(requestId);
  for (const ad of ads) notes.push(`This request reports an event of another ad: placard trace ${ad}`);
  return notes;
}

/** Whether the request got an ad. Without a kept answer: it asked for an ad, or no log says what it was. */
function mayBeFilled({ answer }: Story, lines: readonly LogLine[], requestId: string): boolean {
  if (answer !== null) return answer.result === 'fill';
  const own = lines.filter(({ fields }) => fields['requestId'] === requestId);
  return own.every(({ fields: { route = AD_REQUEST } }) => route === AD_REQUEST);
}

/** A story as text for people. */
export function toStoryText(story: StoryShape): string {
  const { request_id: id, currency, ad, reward_callback: callback, steps, notes } = story;
  const head = [...(ad === null ? [] : [adLine(ad)]), ...(callback === null ? [] : [callbackLine(callback)])];
  const rows = steps.map(({ at, step, details }) => [at, step, detailText(details)]);
  return (
    toLines(`request ${id}, amounts in ${currency}`, ...head) +
    textTable([['time (UTC)', 'step', 'details'], ...rows], 3) +
    toLines(...notes)
  );
}

function adLine(ad: AdShape): string {
  const kind = ad.is_test ? 'test ad' : 'ad';
  const country = ad.country === null ? 'an unknown country' : ad.country;
  const price = ad.price === null ? '' : ` for ${ad.price}`;
  return `${kind}: ${ad.format} at ${ad.placement} of ${ad.app} (${ad.publisher}) in ${country}; ${ad.campaign}, ${ad.creative} of ${ad.advertiser}${price}`;
}

function callbackLine({ id, status, attempts, fault, delivered_at: deliveredAt }: Callback): string {
  const facts = { status, attempts, delivered_at: deliveredAt ?? undefined, fault: fault ?? undefined };
  return `reward callback ${id}: ${detailText(facts)}`;
}

function detailText(details: StepShape['details']): string {
  return Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      typeof value === 'string' ? `${name}=${value}` : `${name}=${JSON.stringify(value)}`,
    )
    .join(' ');
}
