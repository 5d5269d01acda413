import { appError } from '@placard/service-kit';
import { asRequestId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { makeMemorySessionCounters } from '../../test/session-counters.memory.js';
import { LIFETIMES, START_MS, testClick, testImpression } from '../../test/traffic.js';
import { SPECIFIED_THRESHOLDS } from '../domain/thresholds.js';
import type { SessionCounters } from '../store/session-counters.js';
import { makeJudgeEvents, type JudgeEvents } from './judge-events.js';

function makeSubject(counters: SessionCounters = makeMemorySessionCounters()): {
  readonly judge: JudgeEvents;
  readonly seen: string[];
} {
  const seen: string[] = [];
  const judge = makeJudgeEvents({
    counters,
    thresholds: { ...SPECIFIED_THRESHOLDS, clicksPerHour: 2 },
    lifetimes: LIFETIMES,
    onVerdict: (subject, verdict) => seen.push(`${subject}:${verdict ?? 'none'}`),
  });
  return { judge, seen };
}

describe('judging events', () => {
  it('answers in the order of the events, whichever rule needs the counters', async () => {
    const { judge, seen } = makeSubject();
    const soon = (n: number) =>
      testClick({ requestId: asRequestId(`soon_${n}`), arrivedAtMs: START_MS + 999 });
    const fine = (n: number) => testClick({ requestId: asRequestId(`fine_${n}`) });
    const verdicts = await judge([soon(1), fine(1), testImpression(), soon(2), fine(2), fine(3)]);
    expect(verdicts).to.deep.equal(['click_delay', null, null, 'click_delay', null, 'clicks_per_hour']);
    expect(seen).to.deep.equal([
      'click:click_delay',
      'click:none',
      'impression:none',
      'click:click_delay',
      'click:none',
      'click:clicks_per_hour',
    ]);
  });

  it('does not count a click that came too soon', async () => {
    const { judge } = makeSubject();
    const soon = [1, 2, 3].map((n) => testClick({ requestId: asRequestId(`r${n}`), arrivedAtMs: START_MS }));
    await judge(soon);
    expect(await judge([testClick()])).to.deep.equal([null]);
  });

  it('needs no store when no event needs a counter', async () => {
    const { judge } = makeSubject({ claim: () => Promise.reject(new Error('asked')) });
    expect(await judge([])).to.deep.equal([]);
    expect(await judge([testClick({ arrivedAtMs: START_MS })])).to.deep.equal(['click_delay']);
  });

  it('fails as a whole, without a verdict in the metrics, when the counters are away', async () => {
    const { judge, seen } = makeSubject({ claim: () => Promise.reject(appError('unavailable', 'away')) });
    const error: unknown = await judge([testImpression()]).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'unavailable');
    expect(seen).to.deep.equal([]);
  });
});
