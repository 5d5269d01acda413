import { INTEGRATION_ERRORS, NO_FILL_REASONS } from '@placard/service-kit/pure';
import { appRow, byReason, campaignRow, placementRow } from './rows.js';
import { Tally, type RowKey } from './tally.js';

/** Whose call it is. */
export interface Caller {
  /** The app's id. */
  readonly app: string;
  readonly country: string;
  /** Whether it gets test ads, which no report counts. */
  readonly isTest: boolean;
  /** Whether it does nothing that a fraud rule should refuse. */
  readonly isHonest: boolean;
}

/** A call that the server has received. */
export interface Sent {
  readonly caller: Caller;
  /** Without the version segment, such as `/ads/request`. */
  readonly path: string;
  readonly body: Fields;
}

/** Members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The true answer to a call, whether or not the phone gets it. */
export interface Truth {
  readonly status: number;
  readonly body: Fields;
}

/** An event of an ad that the SDK sends. */
export type Deed = 'impression' | 'click' | 'reward';

interface Ad {
  readonly row: RowKey;
  readonly campaignRow: RowKey;
  readonly isTest: boolean;
  readonly isHonest: boolean;
}

interface Done {
  readonly requestId: string;
  readonly deed: Deed;
  readonly completion: boolean;
  /** What the SDK said at the end: null while it still tries. */
  end: End | null;
}

/** What the SDK said of an event at the end. */
export interface End {
  readonly isAccepted: boolean;
  /** Null when it was accepted. */
  readonly reason: string | null;
}

/** Something that a process holds in memory for about a second before it is stored. */
interface Held {
  readonly atMs: number;
  readonly row: RowKey;
  readonly figure: string;
}

/** What a process holds: the decisions on ad requests, and the events that it refused. */
type HeldKind = 'requests' | 'refusals';

/** What happened on the way, for the reader; nothing is compared with it. */
export type Remark =
  | 'sessions'
  | 'visits'
  | 'requests lost'
  | 'answers lost'
  | 'answers that never came'
  | 'calls without network'
  | 'calls without a true answer'
  | 'calls refused for overload'
  | 'apps killed'
  | 'ads not shown'
  | 'banners without an ad';

/** A killed process loses the counts of its last second. Docs: docs/architecture.md#crashes. */
const HELD_MS = 1_500;
const FIGURE_OF = { impression: 'impressions', click: 'clicks', reward: 'rewards' } as const;

/**
 * What the phones did. Requests, fills, no-fills, fallbacks, refusals and errors are the server's true answers. Impressions,
 * clicks and rewards are what the apps reported to their SDK, and whether the SDK said at last that the server has it. What
 * the server refused for a fault of the SDK stays in the book, and so is a difference.
 */
export class Book {
  readonly remarks = new Map<Remark, number>();
  readonly #answers = new Tally();
  readonly #ads = new Map<string, Ad>();
  readonly #done = new Map<string, Done>();
  /** Fills of unknown campaigns, by app: the answers never came. */
  readonly #unknownFills = new Map<string, number>();
  readonly #held: Record<HeldKind, Held[]> = { requests: [], refusals: [] };

  /** Counts something for the reader. */
  note(remark: Remark): void {
    this.remarks.set(remark, (this.remarks.get(remark) ?? 0) + 1);
  }

  /** The true answer to a call; null: there was none, or one that does not say what the server did. */
  answered(sent: Sent, truth: Truth | null, nowMs: number): void {
    if (truth === null) {
      this.note('calls without a true answer');
      this.#unanswered(sent);
      return;
    }
    const { path } = sent;
    this.#countError(sent, truth);
    if (path === '/sdk/initialize' && truth.status === 200) this.note('sessions');
    if (path === '/ads/request' && truth.status === 200) this.#request(sent, truth.body, nowMs);
    if (path === '/events/fallback' && truth.status === 200 && !sent.caller.isTest)
      this.#answers.add(rowOf(sent), byReason('fallback', String(sent.body['reason'])));
    const ad = this.#adOf(sent);
    if (ad !== undefined && truth.body['status'] === 'rejected' && !ad.isTest) {
      const figure = byReason('refused', String(truth.body['reason']));
      this.#answers.add(ad.row, figure);
      this.#hold('refusals', { atMs: nowMs, row: ad.row, figure });
    }
  }

  /** The app has told its SDK that an ad was shown, tapped or seen to its end. */
  did(deed: Deed, requestId: string, completion = false): void {
    const key = `${requestId} ${deed}`;
    if (!this.#done.has(key)) this.#done.set(key, { requestId, deed, completion, end: null });
  }

  /** The SDK has told the app that the server has the event, or has refused it. */
  settled(deed: Deed, requestId: string, { isAccepted, reason }: End): void {
    const done = this.#done.get(`${requestId} ${deed}`);
    // A restored app reports the same event again; the first answer is the one that counts.
    if (done !== undefined) done.end ??= { isAccepted, reason };
  }

  /** Events of ads that the SDK has not brought to an end. */
  get unsettled(): number {
    return [...this.#done.values()].filter(({ end }) => end === null).length;
  }

  /** The whole book, by the rows of the reports. */
  tally(): Tally {
    const all = new Tally();
    for (const { row, figure, count } of this.#answers.entries())
      all.add(row, figure, count.least, count.most);
    for (const done of this.#done.values()) {
      const { requestId, deed, completion, end } = done;
      const ad = this.#ads.get(requestId);
      if (ad === undefined) throw new Error(`the book has no ad ${requestId}`);
      const isCounted = !ad.isTest && (deed !== 'reward' || completion);
      const isRefused = end?.isAccepted === false && !(ad.isHonest && this.#isFault(done));
      if (!isCounted || isRefused) continue;
      for (const row of [ad.row, ad.campaignRow]) all.add(row, FIGURE_OF[deed], end === null ? 0 : 1, 1);
    }
    return all;
  }

  /** Fills of an app whose campaign is not known. */
  unknownFills(app: string): number {
    return this.#unknownFills.get(app) ?? 0;
  }

  /** Whether the SDK sent an event too early or in the wrong order. An ad whose impression came too late loses all its events. */
  #isFault({ requestId, end }: Done): boolean {
    const isSeen = this.#done.get(`${requestId} impression`)?.end?.isAccepted === true;
    return end?.reason === 'suspicious' || (end?.reason === 'no_impression' && isSeen);
  }

  #request(sent: Sent, body: Fields, nowMs: number): void {
    const { app, isTest, isHonest } = sent.caller;
    const row = rowOf(sent);
    const isFill = body['status'] === 'fill';
    if (isFill) {
      const { campaign_id: campaign } = body['ad'] as Fields;
      const ad = { row, campaignRow: campaignRow(app, String(campaign)), isTest, isHonest };
      this.#ads.set(String(body['request_id']), ad);
    }
    if (isTest) return;
    const ad = this.#ads.get(String(body['request_id']));
    const places = [
      { row, figure: 'requests' },
      { row, figure: isFill ? 'fills' : byReason('no-fill', String(body['reason'])) },
      ...(ad === undefined ? [] : [{ row: ad.campaignRow, figure: 'fills' }]),
    ];
    for (const place of places) {
      this.#answers.add(place.row, place.figure);
      this.#hold('requests', { atMs: nowMs, ...place });
    }
  }

  #countError({ caller, path, body }: Sent, { status, body: { error } }: Truth): void {
    const name = `${status}.${String((error as Fields | undefined)?.['code'])}`;
    // Events have no app key, and the limit of a network refuses before the body is read: docs/contract/reports.md#errors.
    const hasApp = body['app_key'] !== undefined && !path.startsWith('/events/') && status !== 429;
    if (hasApp && (INTEGRATION_ERRORS as readonly string[]).includes(name))
      this.#answers.add(appRow(caller.app), byReason('error', name));
  }

  #unanswered(sent: Sent): void {
    if (sent.caller.isTest) return;
    if (sent.path === '/ads/request') {
      const { app } = sent.caller;
      this.#unknownFills.set(app, this.unknownFills(app) + 1);
      for (const reason of NO_FILL_REASONS) this.#answers.add(rowOf(sent), byReason('no-fill', reason), 0, 1);
      for (const figure of ['requests', 'fills']) this.#answers.add(rowOf(sent), figure, 0, 1);
      this.#release('requests');
    }
    if (sent.path === '/events/fallback')
      this.#answers.add(rowOf(sent), byReason('fallback', String(sent.body['reason'])), 0, 1);
    const ad = this.#adOf(sent);
    if (ad === undefined || ad.isTest) return;
    this.#answers.add(ad.row, byReason('refused', 'duplicate'), 0, 1);
    this.#release('refusals');
  }

  #adOf({ body }: Sent): Ad | undefined {
    const id = body['request_id'];
    return typeof id === 'string' ? this.#ads.get(id) : undefined;
  }

  #hold(kind: HeldKind, held: Held): void {
    this.#held[kind] = this.#held[kind].filter(({ atMs }) => atMs > held.atMs - HELD_MS);
    this.#held[kind].push(held);
  }

  /** A process may be gone, and with it what it held after its last good answer. */
  #release(kind: HeldKind): void {
    for (const { row, figure } of this.#held[kind].splice(0)) this.#answers.add(row, figure, -1, 0);
  }
}

function rowOf({ caller, body }: Sent): RowKey {
  return placementRow(caller.app, String(body['placement']), caller.country);
}
