import { AppError } from '@placard/service-kit';
import {
  DAY_MS,
  asAdvertiserId,
  asCampaignId,
  asRequestId,
  dayOf,
  dayToIso,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { AD_TTL_MS, WINDOW_MS, openBed, send, tokenOf, type Bed, type Instance } from './support/bed.js';

describe('events', () => {
  let bed: Bed;
  let service: Instance;
  before(async () => {
    bed = await openBed();
  });
  beforeEach(() => {
    bed.clock.set(Date.now());
    service = bed.instance();
  });
  after(() => bed.drop());

  const rowsOf = async (requestId: string) =>
    (
      await bed.pool.query<{
        type: string;
        verdict: string;
        rule: string | null;
        cost_nanos: bigint;
        settled_at: number | null;
        completion: boolean | null;
      }>(
        'SELECT type, verdict, rule, cost_nanos, settled_at, completion FROM events.event WHERE request_id = $1 ORDER BY type',
        [requestId],
      )
    ).rows;
  const failureOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
    return 'none';
  };

  describe('state table of the impression token', () => {
    it('issued, impression in time: stored with the cost and share of the token, and sent to serving-service', async () => {
      const claims = bed.fill();
      expect(await send(service, 'impression', claims)).to.equal('accepted');
      expect(await rowsOf(claims.requestId)).to.deep.include.members([
        {
          type: 'impression',
          verdict: 'accepted',
          rule: null,
          cost_nanos: 2_500_000n,
          settled_at: null,
          completion: null,
        },
      ]);
      expect(service.outcomes).to.deep.equal([{ claims, verdict: 'accepted' }]);
    });

    it('issued, its campaign’s lease belongs to another advertiser: expired_token, nothing stored', async () => {
      const campaignId = asCampaignId('cmp_moved');
      bed.fill({ campaignId });
      await bed.grantAll();
      const moved = bed.fill({ campaignId, advertiserId: asAdvertiserId('adv_other') });
      expect(await send(service, 'impression', moved)).to.equal('expired_token');
      expect(await rowsOf(moved.requestId)).to.eql([]);
    });

    it('issued, impression at or after the expiry: expired_token, nothing stored', async () => {
      const claims = bed.fill({ filledAtMs: Date.now() - AD_TTL_MS, expiresAtMs: Date.now() + 1_000 });
      bed.clock.set(claims.expiresAtMs);
      expect(await send(service, 'impression', claims)).to.equal('expired_token');
      expect(await rowsOf(claims.requestId)).to.have.length(0);
      bed.clock.set(claims.expiresAtMs - 1);
      expect(await send(service, 'impression', claims)).to.equal('accepted');
    });

    it('impression recorded, the same again: duplicate, also after the expiry', async () => {
      const claims = bed.fill();
      await send(service, 'impression', claims);
      expect(await send(service, 'impression', claims)).to.equal('duplicate');
      bed.clock.advance(AD_TTL_MS + WINDOW_MS * 5);
      expect(await send(service, 'impression', claims)).to.equal('duplicate');
      expect(service.fraud.calls).to.have.length(1);
    });

    it('click: once per impression, free of charge, up to one hour after the expiry including the last instant', async () => {
      const claims = bed.fill();
      await send(service, 'impression', claims);
      bed.clock.set(claims.expiresAtMs + WINDOW_MS);
      expect(await send(service, 'click', claims)).to.equal('accepted');
      expect(await send(service, 'click', claims)).to.equal('duplicate');
      expect((await rowsOf(claims.requestId)).map((row) => row.cost_nanos)).to.deep.equal([0n, 2_500_000n]);
      bed.clock.advance(1);
      expect(await send(service, 'click', claims)).to.equal('expired_token');
    });

    it('the delay of a click is measured between the two arrivals', async () => {
      const claims = bed.fill();
      const shownAtMs = bed.clock.now();
      await send(service, 'impression', claims);
      bed.clock.advance(1_234);
      await send(service, 'click', claims);
      expect(service.fraud.calls.at(-1)).to.deep.equal([
        { type: 'click', claims, arrivedAtMs: shownAtMs + 1_234, impressionArrivedAtMs: shownAtMs },
      ]);
    });

    it('reward: the first report counts and a later one never replaces it', async () => {
      const claims = bed.fill({ format: 'rewarded' });
      await send(service, 'impression', claims);
      const answers = await Promise.all(
        [false, true, true, false, true, false].map((completion) =>
          send(service, 'reward', claims, completion),
        ),
      );
      expect(answers.filter((answer) => answer === 'accepted')).to.have.length(1);
      expect(answers.filter((answer) => answer === 'duplicate')).to.have.length(5);
      expect(await send(service, 'reward', claims, true)).to.equal('duplicate');
      const stored = (await rowsOf(claims.requestId)).find((row) => row.type === 'reward');
      expect(stored?.completion).to.equal(
        [false, true, true, false, true, false][answers.indexOf('accepted')],
      );
    });

    it('reward on a placement that is not rewarded: invalid_token, in every state', async () => {
      const claims = bed.fill({ format: 'interstitial' });
      expect(await send(service, 'reward', claims)).to.equal('invalid_token');
      await send(service, 'impression', claims);
      bed.clock.set(claims.expiresAtMs + WINDOW_MS + 1);
      expect(await send(service, 'reward', claims)).to.equal('invalid_token');
    });

    it('click or reward without an accepted impression: no_impression, and the state is untouched', async () => {
      const claims = bed.fill({ format: 'rewarded' });
      expect(await send(service, 'click', claims)).to.equal('no_impression');
      expect(await send(service, 'reward', claims)).to.equal('no_impression');
      expect(await rowsOf(claims.requestId)).to.have.length(0);
      expect(await send(service, 'impression', claims)).to.equal('accepted');
      expect(await send(service, 'click', claims)).to.equal('accepted');
      expect(await send(service, 'reward', claims)).to.equal('accepted');
    });

    it('any state, click or reward too late: expired_token', async () => {
      const shown = bed.fill({ format: 'rewarded' });
      await send(service, 'impression', shown);
      await send(service, 'click', shown);
      const unshown = bed.fill({ format: 'rewarded' });
      bed.clock.set(unshown.expiresAtMs + WINDOW_MS + 1);
      for (const claims of [shown, unshown]) {
        expect(await send(service, 'click', claims)).to.equal('expired_token');
        expect(await send(service, 'reward', claims)).to.equal('expired_token');
      }
    });
  });

  describe('order of checks and finality', () => {
    it('a text that is not an impression token: invalid_token, before all other checks', async () => {
      for (const impressionToken of ['blah', 'a.b.c', '..', ' ', 'A'.repeat(2_048), '🙂']) {
        const report = { type: 'impression', requestId: 'req_x', impressionToken, completion: null } as const;
        expect(
          await service.record(report, { deadlineAt: Number.MAX_SAFE_INTEGER, requestId: '-' }),
        ).to.equal('invalid_token');
      }
      expect(service.rejections.every(({ event }) => event.claims === null)).to.equal(true);
    });

    it('another request id: request_mismatch, before duplicate and expiry, and nothing is used up', async () => {
      const claims = bed.fill();
      const report = {
        type: 'impression',
        requestId: 'req_other',
        impressionToken: tokenOf(claims),
        completion: null,
      } as const;
      expect(await service.record(report, { deadlineAt: Number.MAX_SAFE_INTEGER, requestId: '-' })).to.equal(
        'request_mismatch',
      );
      expect(await send(service, 'impression', claims)).to.equal('accepted');
      bed.clock.advance(AD_TTL_MS + 1);
      expect(await service.record(report, { deadlineAt: Number.MAX_SAFE_INTEGER, requestId: '-' })).to.equal(
        'request_mismatch',
      );
    });

    it('a suspicious impression stays suspicious, also after the expiry, and its money is returned', async () => {
      const claims = bed.fill();
      service.fraud.rules.set(claims.requestId, 'session_impressions_per_hour');
      expect(await send(service, 'impression', claims)).to.equal('suspicious');
      expect(service.outcomes).to.deep.equal([{ claims, verdict: 'suspicious' }]);
      service.fraud.rules.clear();
      expect(await send(service, 'impression', claims)).to.equal('suspicious');
      bed.clock.advance(AD_TTL_MS * 2);
      expect(await send(service, 'impression', claims)).to.equal('suspicious');
      expect(await send(service, 'click', claims)).to.equal('no_impression');
      expect(service.outcomes).to.have.length(1);
      expect(service.rejections.map(({ rejection }) => rejection.rule)).to.deep.equal([
        'session_impressions_per_hour',
        'session_impressions_per_hour',
        'session_impressions_per_hour',
        'no_impression',
      ]);
    });

    it('a suspicious click stays suspicious when it is sent again later', async () => {
      const claims = bed.fill();
      await send(service, 'impression', claims);
      service.fraud.rules.set(claims.requestId, 'click_delay');
      expect(await send(service, 'click', claims)).to.equal('suspicious');
      service.fraud.rules.clear();
      bed.clock.advance(2_000);
      expect(await send(service, 'click', claims)).to.equal('suspicious');
    });

    it('an event whose fill belongs to a day without a partition is stored', async () => {
      const claims = bed.fill({ filledAtMs: Date.now() - 40 * DAY_MS, expiresAtMs: Date.now() + AD_TTL_MS });
      expect(await send(service, 'impression', claims)).to.equal('accepted');
      const { rows } = await bed.pool.query<{ name: string }>(
        'SELECT tableoid::regclass::text AS name FROM events.event WHERE request_id = $1',
        [claims.requestId],
      );
      expect(rows[0]?.name).to.equal(
        `events.event_${dayToIso(dayOf(claims.filledAtMs)).replaceAll('-', '')}`,
      );
    });

    it('a test event is checked and stored like others, costs nothing and never waits for settlement', async () => {
      const claims = bed.fill({ isTest: true, format: 'rewarded' });
      expect(await send(service, 'impression', claims)).to.equal('accepted');
      expect(await send(service, 'impression', claims)).to.equal('duplicate');
      expect(await send(service, 'click', claims)).to.equal('accepted');
      expect(await send(service, 'reward', claims, false)).to.equal('accepted');
      for (const row of await rowsOf(claims.requestId)) {
        expect(row.cost_nanos).to.equal(0n);
        expect(row.settled_at).to.be.a('number');
      }
      expect(service.outcomes[0]?.claims.isTest).to.equal(true);
    });
  });

  describe('when a part is down', () => {
    it('fraud-service: events that need its verdict fail and are accepted later; others are answered', async () => {
      const shown = bed.fill({ format: 'rewarded' });
      await send(service, 'impression', shown);
      const fresh = bed.fill();
      service.fraud.isDown = true;
      const [impression, click, reward, duplicate] = await Promise.all([
        failureOf(send(service, 'impression', fresh)),
        failureOf(send(service, 'click', shown)),
        failureOf(send(service, 'reward', shown)),
        send(service, 'impression', shown),
      ]);
      expect([impression, click, reward, duplicate]).to.deep.equal([
        'unavailable',
        'unavailable',
        'unavailable',
        'duplicate',
      ]);
      expect(await rowsOf(fresh.requestId)).to.have.length(0);
      service.fraud.isDown = false;
      expect(await send(service, 'impression', fresh)).to.equal('accepted');
    });

    it('a reward has its impression judged again, which counts once, and no verdict rejects the reward', async () => {
      const claims = bed.fill({ format: 'rewarded' });
      const shownAtMs = bed.clock.now();
      await send(service, 'impression', claims);
      bed.clock.advance(5_000);
      service.fraud.rules.set(claims.requestId, 'fullscreen_impressions_per_hour');
      expect(await send(service, 'reward', claims)).to.equal('accepted');
      expect(service.fraud.calls.at(-1)).to.deep.equal([
        { type: 'impression', claims, arrivedAtMs: shownAtMs, impressionArrivedAtMs: null },
      ]);
    });

    it('an event whose caller has given up is not begun', async () => {
      const claims = bed.fill();
      const report = {
        type: 'impression',
        requestId: claims.requestId,
        impressionToken: tokenOf(claims),
        completion: null,
      } as const;
      const late = service.record(report, { deadlineAt: bed.clock.now() + 10, requestId: '-' });
      expect(await failureOf(late)).to.equal('deadline_exceeded');
      expect(await rowsOf(claims.requestId)).to.have.length(0);
    });

    it('lost database connections fail the current events, and the next ones are accepted', async () => {
      const claims = bed.fill();
      await bed.grantAll();
      const killed = bed.pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()',
      );
      expect(await failureOf(killed)).to.not.equal('none');
      let answer: string = 'none';
      for (let attempt = 0; attempt < 10 && answer !== 'accepted'; attempt += 1) {
        answer = await send(service, 'impression', claims).catch(
          (error: unknown) => (error as AppError).code,
        );
        expect(answer).to.be.oneOf(['accepted', 'unavailable']);
      }
      expect(answer).to.equal('accepted');
    });
  });

  describe('concurrency', () => {
    it('twenty copies at once of each of 100 impressions: one accepted, nineteen duplicates, one row', async () => {
      const fills = Array.from({ length: 100 }, () => bed.fill());
      const answers = await Promise.all(
        fills.map((claims) =>
          Promise.all(Array.from({ length: 20 }, () => send(service, 'impression', claims))),
        ),
      );
      for (const copies of answers) {
        expect(copies.filter((answer) => answer === 'accepted')).to.have.length(1);
        expect(copies.filter((answer) => answer === 'duplicate')).to.have.length(19);
      }
      expect(service.outcomes).to.have.length(100);
    });

    it('every impression twice at the same moment, each copy at another instance: 200 accepted, 200 duplicates', async () => {
      const other = bed.instance();
      const fills = Array.from({ length: 200 }, () => bed.fill());
      const answers = await Promise.all([
        ...fills.map((claims) => send(service, 'impression', claims)),
        ...[...fills].reverse().map((claims) => send(other, 'impression', claims)),
      ]);
      expect(answers.filter((answer) => answer === 'accepted')).to.have.length(200);
      expect(answers.filter((answer) => answer === 'duplicate')).to.have.length(200);
      expect(service.outcomes.length + other.outcomes.length).to.equal(200);
    });

    it('five clicks at once: one accepted, four duplicates', async () => {
      const claims = bed.fill();
      await send(service, 'impression', claims);
      const answers = await Promise.all(Array.from({ length: 5 }, () => send(service, 'click', claims)));
      expect(answers.sort()).to.deep.equal(['accepted', 'duplicate', 'duplicate', 'duplicate', 'duplicate']);
    });

    it('instances that disagree on the fraud rules still store one verdict, which both answer', async () => {
      const other = bed.instance();
      const claims = bed.fill();
      other.fraud.rules.set(claims.requestId, 'clicks_per_hour');
      const answers = await Promise.all([
        send(service, 'impression', claims),
        send(other, 'impression', claims),
      ]);
      const [stored] = await rowsOf(claims.requestId);
      const expected =
        stored?.verdict === 'accepted' ? ['accepted', 'duplicate'] : ['suspicious', 'suspicious'];
      expect(answers.sort()).to.deep.equal(expected);
    });

    it('simultaneous events share one call for the fraud rules and one insert', async () => {
      const fills = Array.from({ length: 50 }, () => bed.fill());
      await Promise.all(fills.map((claims) => send(service, 'impression', claims)));
      expect(service.fraud.calls.length).to.be.at.most(3);
    });
  });

  it('a request id with hostile text is not stored and does no harm', async () => {
    const claims = bed.fill();
    for (const requestId of ["req_'; DROP TABLE events.event; --", '\0', '\ud800']) {
      const report = {
        type: 'click',
        requestId: asRequestId(requestId),
        impressionToken: tokenOf(claims),
        completion: null,
      } as const;
      expect(await service.record(report, { deadlineAt: Number.MAX_SAFE_INTEGER, requestId: '-' })).to.equal(
        'request_mismatch',
      );
    }
  });
});
