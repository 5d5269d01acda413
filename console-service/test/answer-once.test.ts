import { appError } from '@placard/service-kit';
import {
  codeOf,
  makeTestClock,
  makeTestLog,
  makeTestTimers,
  until,
  type LogLine,
  type TestClock,
  type TestTimers,
} from '@placard/service-kit/testing';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { ANSWER_KEPT_MS, HOLD_MS, RENEW_MS, type GivenAnswer } from '../src/manage/domain/repetition.js';
import { makePgAnswerStore } from '../src/manage/store/answer-store.pg.js';
import type { AnswerStore } from '../src/manage/store/answer-store.js';
import { makeAnswerOnce, type AnswerOnce, type OnceRequest } from '../src/manage/usecase/answer-once.js';

const MIGRATIONS = { schema: 'catalog', dir: fileURLToPath(new URL('../migrations', import.meta.url)) };
const NOW_MS = Date.UTC(2026, 10, 1, 12);
const ANSWER: GivenAnswer = { status: 201, etag: '7', body: { is_new: true }, isSecret: false };
const OTHER: GivenAnswer = { ...ANSWER, body: { is_new: false } };
const NEVER = (): never => {
  throw new Error('the work was done again');
};

describe('a request with an idempotency key', () => {
  let database: TestDatabase;
  let clock: TestClock;
  let timers: TestTimers;
  let answerOnce: AnswerOnce;
  let store: AnswerStore;
  let logged: readonly LogLine[];
  before(async () => {
    database = await openTestDatabase({ migrations: [MIGRATIONS] });
  });
  after(() => database.drop());
  beforeEach(async () => {
    await database.pool.query('DELETE FROM manage.requests');
    clock = makeTestClock(NOW_MS);
    timers = makeTestTimers();
    const { log, lines } = makeTestLog();
    logged = lines;
    store = makePgAnswerStore(database.pool);
    answerOnce = makeAnswerOnce({ store, clock, timers, log });
  });

  const request = (changes: Partial<OnceRequest> = {}): OnceRequest => ({
    name: { actorId: 'key_a', key: 'k1' },
    hash: 'h1',
    hasSecretAnswer: false,
    ...changes,
  });
  const giving = (answer: GivenAnswer) => () => Promise.resolve(answer);
  /** Begins the work and does not end it. */
  const beginUnended = async (): Promise<(answer: GivenAnswer) => Promise<GivenAnswer>> => {
    let give: (answer: GivenAnswer) => void = () => undefined;
    const given = new Promise<GivenAnswer>((resolve) => (give = resolve));
    let done = Promise.resolve(ANSWER);
    await new Promise<void>((begun) => {
      done = answerOnce(request(), () => {
        begun();
        return given;
      });
    });
    return (answer) => {
      give(answer);
      return done;
    };
  };

  /** The time of the database passes, for the holds. */
  const passInDatabase = (ms: number) =>
    database.pool.query(`UPDATE manage.requests SET held_until = held_until - ${ms} * interval '1 ms'`);
  const heldMs = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ ms: number }>(
      'SELECT extract(epoch FROM held_until - clock_timestamp())::float8 * 1000 AS ms FROM manage.requests',
    );
    return rows[0]?.ms ?? Number.NaN;
  };

  it('gets the answer of the first one when it is repeated', async () => {
    expect(await answerOnce(request(), giving(ANSWER))).to.deep.equal(ANSWER);
    clock.advance(ANSWER_KEPT_MS - 1);
    expect(await answerOnce(request(), NEVER)).to.deep.equal(ANSWER);
  });

  it('is a new one for another caller, with another key, and after a day', async () => {
    await answerOnce(request(), giving(ANSWER));
    const another = { actorId: 'key_b', key: 'k1' };
    expect(await answerOnce(request({ name: another }), giving(OTHER))).to.deep.equal(OTHER);
    const further = { actorId: 'key_a', key: 'k2' };
    expect(await answerOnce(request({ name: further }), giving(OTHER))).to.deep.equal(OTHER);
    clock.advance(ANSWER_KEPT_MS + 1);
    expect(await answerOnce(request({ hash: 'h2' }), giving(OTHER))).to.deep.equal(OTHER);
  });

  it('is refused when the key belongs to another request', async () => {
    await answerOnce(request(), giving(ANSWER));
    expect(await codeOf(answerOnce(request({ hash: 'h2' }), NEVER))).to.equal('invalid_argument');
  });

  it('is a conflict while the first one runs, which then gives its answer', async () => {
    const end = await beginUnended();
    expect(await codeOf(answerOnce(request(), NEVER))).to.equal('conflict');
    expect(await end(ANSWER)).to.deep.equal(ANSWER);
    expect(await answerOnce(request(), NEVER)).to.deep.equal(ANSWER);
  });

  it('is done once when many arrive together', async () => {
    let count = 0;
    const work = (): Promise<GivenAnswer> => {
      count += 1;
      return Promise.resolve(ANSWER);
    };
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => answerOnce(request(), work)));
    expect(count).to.equal(1);
    for (const one of all) {
      if (one.status === 'fulfilled') expect(one.value).to.deep.equal(ANSWER);
      else expect(await codeOf(Promise.reject(one.reason as Error))).to.equal('conflict');
    }
  });

  it('frees its key when it fails', async () => {
    const failing = answerOnce(request(), () => Promise.reject(appError('not_found', 'There is none.')));
    expect(await codeOf(failing)).to.equal('not_found');
    expect(await answerOnce(request({ hash: 'h2' }), giving(ANSWER))).to.deep.equal(ANSWER);
  });

  it('gets an answer that cannot be stored, and keeps its key until its hold ends', async () => {
    store.finish = () => Promise.reject(appError('unavailable', 'The database is away.'));
    expect(await answerOnce(request(), giving(ANSWER))).to.deep.equal(ANSWER);
    expect(logged.map(({ msg }) => msg)).to.deep.equal(['the answer to a request could not be stored']);
    expect(await codeOf(answerOnce(request(), NEVER))).to.equal('conflict');
    expect(timers.waitsMs).to.deep.equal([]);
    await passInDatabase(HOLD_MS);
    expect(await codeOf(answerOnce(request({ hash: 'h2' }), NEVER))).to.equal('invalid_argument');
    expect(await answerOnce(request(), giving(OTHER))).to.deep.equal(OTHER);
  });

  it('that runs for long keeps its key, and is told how to go on', async () => {
    const end = await beginUnended();
    await passInDatabase(HOLD_MS);
    await timers.advance(RENEW_MS);
    await until(async () => (await heldMs()) > RENEW_MS);
    const refused = await answerOnce(request(), NEVER).catch((error: unknown) => String(error));
    expect(refused).to.contain('less than 15 seconds ago. Repeat it');
    await end(ANSWER);
    expect(timers.waitsMs).to.deep.equal([]);
    expect(await answerOnce(request(), NEVER)).to.deep.equal(ANSWER);
  });

  it('may begin again seconds after its process has ended, and the lost one stores and frees nothing', async () => {
    const end = await beginUnended();
    expect(await codeOf(answerOnce(request(), NEVER))).to.equal('conflict');
    await passInDatabase(HOLD_MS);
    expect(await codeOf(answerOnce(request({ hash: 'h2' }), NEVER))).to.equal('invalid_argument');
    expect(await answerOnce(request(), giving(OTHER))).to.deep.equal(OTHER);
    await timers.advance(RENEW_MS);
    await end(ANSWER);
    expect(await answerOnce(request(), NEVER)).to.deep.equal(OTHER);
  });

  it('gets no secret again, and none is stored', async () => {
    const secret = request({ hasSecretAnswer: true });
    expect(await answerOnce(secret, giving(ANSWER))).to.deep.equal(ANSWER);
    expect(await codeOf(answerOnce(secret, NEVER))).to.equal('conflict');
    const { rows } = await database.pool.query('SELECT body FROM manage.requests');
    expect(rows).to.deep.equal([{ body: null }]);
  });

  it('is removed after its time', async () => {
    await answerOnce(request(), giving(ANSWER));
    await store.removeBefore(NOW_MS);
    expect(await answerOnce(request(), NEVER)).to.deep.equal(ANSWER);
    await store.removeBefore(NOW_MS + 1);
    expect(await answerOnce(request(), giving(OTHER))).to.deep.equal(OTHER);
  });
});
