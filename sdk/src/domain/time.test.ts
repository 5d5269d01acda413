import { expect } from 'chai';
import { elapsedMs, leftMs, momentOf, spanUntil } from './time.js';

function clocks() {
  const at = { wall: 1_000_000, steady: 50 };
  return { at, clock: { wallMs: () => at.wall, steadyMs: () => at.steady } };
}

describe('time on a phone', () => {
  it('passes as on the faster of both clocks, and never runs back', () => {
    const { at, clock } = clocks();
    const start = momentOf(clock);
    at.steady += 2_000;
    at.wall -= 3_600_000;
    expect(elapsedMs(clock, start)).to.equal(2_000);
    // The steady clock slept with the phone.
    at.wall = start.wallMs + 9_000;
    expect(elapsedMs(clock, start)).to.equal(9_000);
    at.steady = 50;
    at.wall = start.wallMs - 1;
    expect(elapsedMs(clock, start)).to.equal(0);
  });

  it('measures a life by the server, whatever the time of the phone, and ends it 2 seconds early', () => {
    const { at, clock } = clocks();
    const serverMs = Date.parse('2026-11-01T12:00:00Z');
    const life = spanUntil('2026-11-01T12:30:00Z', momentOf(clock), serverMs);
    expect(leftMs(clock, life)).to.equal(1_798_000);
    at.steady += 1_797_999;
    expect(leftMs(clock, life)).to.equal(1);
    at.steady += 1;
    expect(leftMs(clock, life)).to.equal(0);
  });

  it('measures a life by the phone when the answer has no time, and takes an unreadable instant as over', () => {
    const { clock } = clocks();
    const start = { wallMs: Date.parse('2026-11-01T12:00:00Z'), steadyMs: 50 };
    expect(spanUntil('2026-11-01T12:00:10Z', start, null).lengthMs).to.equal(8_000);
    expect(spanUntil('soon', momentOf(clock), null).lengthMs).to.equal(0);
  });
});
