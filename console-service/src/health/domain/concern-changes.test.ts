import { MINUTE_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { NO_FIGURES, type Concern } from './concern.js';
import { compareConcerns, ENDS_AFTER_MS, type OpenConcern } from './concern-changes.js';
import { eventsOf } from './concern-event.js';

const NOW_MS = Date.UTC(2026, 4, 4);

function aConcern(subjectId: string, leftNanos = 1n): Concern {
  const figures = { ...NO_FIGURES, leftNanos };
  return { kind: 'low_balance', subjectKind: 'advertiser', subjectId, reason: null, figures };
}

/** The concerns that are open after each of these findings, one every five minutes. */
function watched(...findings: readonly (readonly Concern[])[]) {
  let open: readonly OpenConcern[] = [];
  const events: unknown[][] = [];
  for (const [index, found] of findings.entries()) {
    const nowMs = NOW_MS + index * 5 * MINUTE_MS;
    const changes = compareConcerns(open, found, nowMs);
    const isOver = new Set([...changes.ended, ...changes.kept, ...changes.begun].map(({ key }) => key));
    open = [...open.filter(({ key }) => !isOver.has(key)), ...changes.kept, ...changes.begun];
    events.push(
      eventsOf(changes, nowMs).map((text) => {
        const { type, concern } = JSON.parse(text) as { type: string; concern: { subject: string } };
        return `${type} ${concern.subject}`;
      }),
    );
  }
  return events;
}

describe('a concern', () => {
  it('begins once and ends once', () => {
    expect(watched([aConcern('adv_a')], [aConcern('adv_a')], [], [], [])).to.deep.equal([
      ['concern.began adv_a'],
      [],
      [],
      [],
      ['concern.ended adv_a'],
    ]);
  });

  it('does not end while it comes back within a quarter of an hour', () => {
    expect(watched([aConcern('adv_a')], [], [], [aConcern('adv_a')], []).flat()).to.deep.equal([
      'concern.began adv_a',
    ]);
  });

  it('is another one for another subject', () => {
    expect(watched([aConcern('adv_a')], [aConcern('adv_a'), aConcern('adv_b')])).to.deep.equal([
      ['concern.began adv_a'],
      ['concern.began adv_b'],
    ]);
  });

  it('keeps its begin and gets its new figures', () => {
    const { begun } = compareConcerns([], [aConcern('adv_a')], NOW_MS);
    const { kept } = compareConcerns(begun, [aConcern('adv_a', 5n)], NOW_MS + ENDS_AFTER_MS);
    expect(kept[0]).to.deep.include({ beganAtMs: NOW_MS, seenAtMs: NOW_MS + ENDS_AFTER_MS });
    expect(kept[0]?.row).to.include({ left: '0.000000005', since: '2026-05-04T00:00:00.000Z' });
  });
});
