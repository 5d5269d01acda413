import { expect } from 'chai';
import type { Recording } from './recording.js';
import { replaySeries, replayTimes } from './replay.js';

const STARTED_AT = 1_000_000;
/** Three seconds before the outage last 30, and two seconds of it last 40. */
const STRETCH = { beforeSeconds: 30, duringSeconds: 40, stepSeconds: 10 };
const { brokenAt, endAt } = replayTimes(STRETCH);

/** The samples from the begin of the replay on. */
function replay(name: string, values: readonly (number | null)[]): readonly (number | null)[] {
  const key = `${name}{job="gateway"}`;
  const series = new Map([[key, values]]);
  const recording: Recording = { what: '', everySeconds: 1, startedAt: STARTED_AT, brokenFrom: 3, series };
  const samples = replaySeries(recording, key, STRETCH);
  return samples.slice((brokenAt - STRETCH.beforeSeconds) / STRETCH.stepSeconds);
}

describe('a replayed recording', () => {
  it('has no samples before its begin, and one at its end', () => {
    expect(endAt - brokenAt).to.equal(40);
    expect(replay('x_total', [1, 1, 1, 1, 1, 1])).to.have.length(8);
  });

  it('counts in each second what the recording counted in a second', () => {
    // 5 in each second before, and 2, then 4 in each second of the outage.
    expect(replay('x_total', [100, 105, 110, 115, 117, 121])).to.deep.equal([
      100, 150, 200, 250, 270, 290, 330, 370,
    ]);
  });

  it('sets a counter back where its process began again', () => {
    expect(replay('x_total', [7, 7, 7, 9, 0, 1]).slice(3)).to.deep.equal([27, 27, 0, 10, 20]);
  });

  it('has no samples while a process is away', () => {
    expect(replay('x_total', [7, 7, 7, 7, null, null]).slice(3)).to.deep.equal([7, 7, null, null, null]);
    expect(replay('x', [1, 1, 1, 1, null, 2]).slice(3)).to.deep.equal([1, 1, null, null, 2]);
  });

  it('keeps a gauge for longer, and lets an age grow with the outage', () => {
    expect(replay('x', [4, 4, 4, 4, 6, 8])).to.deep.equal([4, 4, 4, 4, 4, 6, 6, 8]);
    expect(replay('x_age_seconds', [1, 1, 1, 1, 2, 3]).slice(3)).to.deep.equal([1, 1, 21, 21, 41]);
  });

  it('moves instants with the time in which they lie', () => {
    const at = [STARTED_AT - 5, STARTED_AT + 1, STARTED_AT + 3, STARTED_AT + 4, 0, STARTED_AT + 5];
    const begin = brokenAt - STRETCH.beforeSeconds;
    expect(replay('x_timestamp_seconds', at)).to.deep.equal([
      begin - 5,
      begin + 10,
      begin + 30,
      begin + 50,
      begin + 50,
      0,
      0,
      begin + 70,
    ]);
  });
});
