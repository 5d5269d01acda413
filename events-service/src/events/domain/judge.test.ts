import { asRequestId, type ImpressionClaims } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { NO_HISTORY, type AdEventType, type History, type JudgedEvent, type ReadableEvent } from './event.js';
import { judgeHistory, judgeToken, judgeUnstored } from './judge.js';

const EXPIRES = 1_000_000;
const WINDOW = 3_600_000;
const accepted: JudgedEvent = { verdict: 'accepted', rule: null, arrivedAtMs: 1 };
const suspicious: JudgedEvent = { verdict: 'suspicious', rule: 'click_delay', arrivedAtMs: 1 };

function event(
  type: AdEventType,
  arrivedAtMs: number,
  format = 'rewarded',
  requestId = 'req_1',
): ReadableEvent {
  const claims = { requestId: 'req_1', format, expiresAtMs: EXPIRES } as ImpressionClaims;
  return { type, requestId: asRequestId(requestId), claims, completion: null, arrivedAtMs };
}

describe('judging an event', () => {
  it('goes by its token, in the order of the contract', () => {
    const cases: readonly [
      what: string,
      reported: Parameters<typeof judgeToken>[0],
      reason: string | null,
    ][] = [
      ['no token', { ...event('click', 0), claims: null }, 'invalid_token'],
      [
        'no token, another request id',
        { ...event('click', 0, 'banner', 'req_2'), claims: null },
        'invalid_token',
      ],
      [
        'another request id, too late',
        event('click', EXPIRES + WINDOW + 1, 'banner', 'req_2'),
        'request_mismatch',
      ],
      ['another request id, reward on a banner', event('reward', 0, 'banner', 'req_2'), 'request_mismatch'],
      ['reward on a banner, too late', event('reward', EXPIRES + WINDOW + 1, 'banner'), 'invalid_token'],
      ['reward on an interstitial', event('reward', 0, 'interstitial'), 'invalid_token'],
      ['reward in time', event('reward', EXPIRES + WINDOW), null],
      ['reward too late', event('reward', EXPIRES + WINDOW + 1), 'expired_token'],
      ['click in time', event('click', EXPIRES + WINDOW, 'banner'), null],
      ['click too late', event('click', EXPIRES + WINDOW + 1, 'banner'), 'expired_token'],
      [
        'impression after its expiry: its history decides first',
        event('impression', EXPIRES + WINDOW * 2),
        null,
      ],
    ];
    for (const [what, reported, reason] of cases) {
      expect(judgeToken(reported, WINDOW)?.reason ?? null, what).to.equal(reason);
    }
  });

  it('goes by the stored events, in the order of the contract', () => {
    const shown: History = { ...NO_HISTORY, impression: accepted };
    const refused: History = { ...NO_HISTORY, impression: suspicious };
    const cases: readonly [what: string, reported: ReadableEvent, history: History, reason: string | null][] =
      [
        ['fresh impression', event('impression', EXPIRES - 1), NO_HISTORY, null],
        ['fresh impression at the expiry', event('impression', EXPIRES), NO_HISTORY, 'expired_token'],
        ['accepted impression again', event('impression', 1), shown, 'duplicate'],
        ['accepted impression again, expired', event('impression', EXPIRES), shown, 'duplicate'],
        ['suspicious impression again, expired', event('impression', EXPIRES), refused, 'suspicious'],
        ['click without impression', event('click', 1), NO_HISTORY, 'no_impression'],
        ['click after a suspicious impression', event('click', 1), refused, 'no_impression'],
        ['reward after a suspicious impression', event('reward', 1), refused, 'no_impression'],
        ['first click', event('click', 1), shown, null],
        ['second click', event('click', 1), { ...shown, click: accepted }, 'duplicate'],
        ['click that was suspicious', event('click', 1), { ...shown, click: suspicious }, 'suspicious'],
        ['reward after a click', event('reward', 1), { ...shown, click: accepted }, null],
        ['second reward', event('reward', 1), { ...shown, reward: accepted }, 'duplicate'],
      ];
    for (const [what, reported, history, reason] of cases) {
      expect(judgeHistory(reported, history)?.reason ?? null, what).to.equal(reason);
    }
  });

  it('answers for an event that was not stored: another copy was first, or time ran out', () => {
    expect(judgeUnstored('impression', NO_HISTORY).reason).to.equal('expired_token');
    expect(judgeUnstored('impression', { ...NO_HISTORY, impression: accepted }).reason).to.equal('duplicate');
    expect(judgeUnstored('click', { ...NO_HISTORY, impression: accepted, click: suspicious })).to.deep.equal({
      reason: 'suspicious',
      rule: 'click_delay',
    });
  });
});
