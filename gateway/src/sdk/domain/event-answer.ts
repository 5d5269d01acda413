import type { EventVerdict } from '@placard/service-kit/pure';
import type { Answer } from '../../domain/answer.js';

/** The answer to an impression, click or reward. `accepted` holds additional fields of an accepted one. */
export function answerOfVerdict(verdict: EventVerdict, accepted: object = {}): Answer {
  if (verdict === 'accepted') {
    return { status: 200, outcome: 'accepted', body: { status: 'accepted', ...accepted } };
  }
  const status = verdict === 'duplicate' ? 409 : 422;
  return { status, outcome: verdict, body: { status: 'rejected', reason: verdict } };
}
