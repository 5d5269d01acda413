import { appError, toAppError } from '@placard/service-kit';
import { DAY_MS, HOUR_MS, dayOf, readRequestId, requestIdMadeAtMs } from '@placard/service-kit/pure';
import type { FraudClient, RefusedEvent } from '../../events/clients/fraud.js';
import type { StoredStory } from '../domain/story.js';
import type { StoryStore } from '../store/stories.js';

/** The story of an ad: what is stored of it and which of its events were refused. */
export interface Story extends StoredStory {
  /** In the order of their arrival. Null: fraud-service could not be asked. */
  readonly refused: readonly RefusedEvent[] | null;
}

/**
 * Reads what became of an ad. An ad without a stored event has an empty story, because a fill has no row. Errors:
 * `invalid_argument` (the text has not the form of a request id), `unavailable`.
 */
export type GetStory = (requestId: string) => Promise<Story>;

/** Refused events are looked for from this long before the ad request, because clocks of processes differ … */
const EARLY_MS = HOUR_MS;
/** … to this long after it. An event that is reported even later is not found. */
const LATE_MS = 2 * DAY_MS;

/** Makes {@link GetStory}. */
export function makeGetStory(store: StoryStore, fraud: Pick<FraudClient, 'refusedOf'>): GetStory {
  return async (text) => {
    const requestId = readRequestId(text);
    if (requestId === null) {
      throw appError('invalid_argument', 'A request id is req_ and 32 hexadecimal digits in lower case.');
    }
    const madeAtMs = requestIdMadeAtMs(requestId);
    const range = { fromMs: Math.max(1, madeAtMs - EARLY_MS), toMs: madeAtMs + LATE_MS };
    const refused = fraud.refusedOf(requestId, range).catch((error: unknown) => {
      const { code } = toAppError(error);
      if (code === 'unavailable' || code === 'deadline_exceeded') return null;
      throw error;
    });
    const [stored, entries] = await Promise.all([store.read(requestId, dayOf(madeAtMs)), refused]);
    return { ...stored, refused: entries };
  };
}
