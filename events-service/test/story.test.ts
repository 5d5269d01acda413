import { appError } from '@placard/service-kit';
import { HOUR_MS, requestIdMadeAtMs } from '@placard/service-kit/pure';
import { expect } from 'chai';
import type { FraudClient } from '../src/events/clients/fraud.js';
import { openStoryStore } from '../src/story/store/stories.pg.js';
import { makeGetStory } from '../src/story/usecase/get-story.js';
import { openBed, send, type Bed } from './support/bed.js';

const NOTHING_REFUSED: Pick<FraudClient, 'refusedOf'> = { refusedOf: () => Promise.resolve([]) };

describe('the story of an ad', () => {
  let bed: Bed;
  before(async () => {
    bed = await openBed();
  });
  after(() => bed.drop());

  const storyOf = (requestId: string, fraud = NOTHING_REFUSED) =>
    makeGetStory(openStoryStore(bed.pool), fraud)(requestId);

  it('has its events in the order of their arrival, its booking and its lease', async () => {
    const claims = bed.fill({ traceparent: null });
    const instance = bed.instance();
    await send(instance, 'impression', claims);
    bed.clock.advance(2_000);
    await send(instance, 'click', claims);
    const waiting = await storyOf(claims.requestId);
    expect(waiting.events.map(({ type, settledAtMs }) => [type, settledAtMs])).to.deep.equal([
      ['impression', null],
      ['click', null],
    ]);
    expect(waiting.booking).to.equal(null);
    expect(waiting.lease).to.include({ run: claims.leaseRun, closedAtMs: null });
    await bed.settle();
    const { events, booking, isDropped } = await storyOf(claims.requestId);
    const { costNanos, publisherNanos } = claims;
    expect(events[0]).to.include({ verdict: 'accepted', costNanos, publisherNanos, appId: claims.appId });
    expect(events.map(({ settledAtMs }) => typeof settledAtMs)).to.deep.equal(['number', 'number']);
    expect(booking?.entries).to.deep.equal([
      { kind: 'advertiser', id: claims.advertiserId, amountNanos: -costNanos },
      { kind: 'publisher', id: claims.publisherId, amountNanos: publisherNanos },
      { kind: 'platform', id: 'platform', amountNanos: costNanos - publisherNanos },
    ]);
    expect(isDropped).to.equal(false);
  });

  it('has a suspicious impression with its rule, and no booking', async () => {
    const claims = bed.fill();
    const instance = bed.instance();
    instance.fraud.rules.set(claims.requestId, 'click_delay');
    await send(instance, 'impression', claims);
    await bed.settle();
    const { events, booking } = await storyOf(claims.requestId);
    expect(events.map(({ verdict, rule }) => [verdict, rule])).to.deep.equal([['suspicious', 'click_delay']]);
    expect(booking).to.equal(null);
  });

  it('is found when the ad was filled on the other side of midnight than its id was made', async () => {
    const { requestId } = bed.fill();
    for (const filledAtMs of [bed.clock.now() - 24 * HOUR_MS, bed.clock.now() + 24 * HOUR_MS]) {
      const claims = bed.fill({ requestId, filledAtMs, expiresAtMs: bed.clock.now() + HOUR_MS });
      await send(bed.instance(), 'impression', claims);
    }
    expect((await storyOf(requestId)).events).to.have.lengthOf(2);
  });

  it('is empty for an ad without a stored event', async () => {
    expect(await storyOf(bed.fill().requestId)).to.deep.equal({
      events: [],
      booking: null,
      lease: null,
      isDropped: false,
      refused: [],
    });
  });

  it('says when the events of its day were dropped', async () => {
    const { requestId } = bed.fill();
    const sql = `INSERT INTO events.dropped_day (day) SELECT (to_timestamp($1::float8 / 1000) AT TIME ZONE 'UTC')::date`;
    await bed.pool.query(sql, [requestIdMadeAtMs(requestId)]);
    expect((await storyOf(requestId)).isDropped).to.equal(true);
    await bed.pool.query('TRUNCATE events.dropped_day');
  });

  it('has refused events of two days, and does without them when fraud-service is down', async () => {
    const { requestId } = bed.fill();
    const asked: object[] = [];
    const refusal = { rule: 'duplicate', event: 'click', atMs: 7 };
    const refusedOf: FraudClient['refusedOf'] = (id, range) => {
      asked.push({ id, hours: (range.toMs - range.fromMs) / HOUR_MS });
      return Promise.resolve([refusal]);
    };
    expect((await storyOf(requestId, { refusedOf })).refused).to.deep.equal([refusal]);
    expect(asked).to.deep.equal([{ id: requestId, hours: 49 }]);
    const down = { refusedOf: () => Promise.reject(appError('unavailable', 'Down.')) };
    expect((await storyOf(requestId, down)).refused).to.equal(null);
  });

  it('is refused for a text of another form', async () => {
    for (const text of ['', 'req_1', `req_${'0A'.repeat(16)}`]) {
      const error: unknown = await storyOf(text).catch((thrown: unknown) => thrown);
      expect(error, text).to.include({ code: 'invalid_argument' });
    }
  });
});
