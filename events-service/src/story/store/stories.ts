import type { RequestId } from '@placard/service-kit/pure';
import type { StoredStory } from '../domain/story.js';

/** Reads what is stored of one ad. */
export interface StoryStore {
  /** `day` is the UTC day (since 1970) of the ad request. Error `unavailable`. */
  read(requestId: RequestId, day: number): Promise<StoredStory>;
}
