import { fileURLToPath } from 'node:url';
import type { AppError } from '@placard/service-kit';
import { openPostgres } from '@placard/service-kit/postgres';
import { HOUR_MS, asAppId, asPlacementCode, asRequestId, asSessionId } from '@placard/service-kit/pure';
import { makeTestScope } from '@placard/service-kit/testing';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import type { SuspiciousEvent } from '../src/domain/suspicious-event.js';
import type { SuspiciousQuery } from '../src/domain/suspicious-report.js';
import { makePgSuspiciousEvents } from '../src/store/suspicious-events.pg.js';
import { makeCountSuspiciousEvents } from '../src/usecase/count-suspicious-events.js';
import { START_MS } from './traffic.js';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

function testEvent(overrides: Partial<SuspiciousEvent> = {}): SuspiciousEvent {
  return {
    rule: 'click_delay',
    event: 'click',
    appId: asAppId('app_sunrise_puzzle'),
    placement: asPlacementCode('home_banner'),
    sessionId: asSessionId('s1'),
    requestId: asRequestId('req_1'),
    atMs: START_MS,
    ...overrides,
  };
}

/** With this, no count of a session is too old. */
const SESSIONS = { sessionsBeforeMs: 0 };

describe('the suspicious-event log in Postgres', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase({ migrations: [{ schema: 'fraud', dir: MIGRATIONS }] });
  });
  after(() => database.drop());
  beforeEach(() =>
    database.pool.query(
      'TRUNCATE fraud.suspicious_events, fraud.suspicious_hour, fraud.suspicious_session_hour',
    ),
  );

  const rows = async (): Promise<unknown[]> => {
    const sql =
      'SELECT rule, event, app_id, placement, session_id, request_id, at FROM fraud.suspicious_events ORDER BY id';
    return (await database.pool.query<Record<string, unknown>>(sql)).rows;
  };
  const fill = (atMs: readonly number[]): Promise<number> =>
    makePgSuspiciousEvents(database.pool).add(
      atMs.map((at) => testEvent({ atMs: at, sessionId: asSessionId(`ses_${at}`) })),
    );
  const counts = async (): Promise<unknown[]> => {
    const sql = 'SELECT hour, app_id, rule, events FROM fraud.suspicious_hour ORDER BY hour, app_id, rule';
    const { rows } = await database.pool.query<Record<string, unknown>>(sql);
    return rows.map(({ hour, app_id, rule, events }) => [hour, app_id, rule, events]);
  };
  /** Events of one session, each with a request id of the client's choice. */
  const madeUp = (count: number, overrides: Partial<SuspiciousEvent> = {}): readonly SuspiciousEvent[] =>
    Array.from({ length: count }, (_, index) =>
      testEvent({
        rule: 'request_mismatch',
        requestId: asRequestId(`req_made_up_${index}`),
        atMs: START_MS + index,
        ...overrides,
      }),
    );
  const keptMs = async (): Promise<unknown[]> =>
    (await rows()).map((row) => (row as { at: number }).at - START_MS);

  it('finds the entries of one ad within a range of time, in the order of their arrival', async () => {
    const log = makePgSuspiciousEvents(database.pool);
    const requestId = asRequestId('req_wanted');
    const at = (atMs: number, overrides: Partial<SuspiciousEvent> = {}) =>
      testEvent({ requestId, atMs: START_MS + atMs, sessionId: asSessionId(`ses_${atMs}`), ...overrides });
    await log.add([at(3), at(1, { rule: 'duplicate', event: 'impression' }), at(0), at(4)]);
    await log.add([at(2, { requestId: asRequestId('req_other') }), at(2, { requestId: null })]);
    const range = { requestId, fromMs: START_MS + 1, toMs: START_MS + 4 };
    expect(await log.find(range, 10)).to.deep.equal([
      { rule: 'duplicate', event: 'impression', atMs: START_MS + 1 },
      { rule: 'click_delay', event: 'click', atMs: START_MS + 3 },
    ]);
    expect(await log.find(range, 1)).to.have.lengthOf(1);
  });

  it('keeps entries as they were given, to the millisecond', async () => {
    const mismatch = testEvent({
      rule: 'package_mismatch',
      event: 'initialize',
      placement: null,
      sessionId: null,
      requestId: null,
      atMs: START_MS + 123,
    });
    await makePgSuspiciousEvents(database.pool).add([testEvent(), mismatch]);
    const common = { app_id: 'app_sunrise_puzzle' };
    expect(await rows()).to.deep.equal([
      {
        ...common,
        rule: 'click_delay',
        event: 'click',
        placement: 'home_banner',
        session_id: 's1',
        request_id: 'req_1',
        at: START_MS,
      },
      {
        ...common,
        rule: 'package_mismatch',
        event: 'initialize',
        placement: null,
        session_id: null,
        request_id: null,
        at: START_MS + 123,
      },
    ]);
  });

  it('keeps the first ten of a session, rule and hour, and counts all', async () => {
    const log = makePgSuspiciousEvents(database.pool);
    expect(await log.add(madeUp(4_000).slice(0, 7))).to.equal(7);
    expect(await log.add(madeUp(4_000).slice(7))).to.equal(3);
    expect((await rows()).map((row) => (row as { request_id: string }).request_id)).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => `req_made_up_${index}`),
    );
    expect(await log.add(madeUp(12, { rule: 'click_delay' })), 'another rule').to.equal(10);
    expect(await log.add(madeUp(12, { sessionId: asSessionId('s2') })), 'another session').to.equal(10);
    expect(await log.add(madeUp(12, { atMs: START_MS + HOUR_MS })), 'the next hour').to.equal(10);
    expect(await counts()).to.deep.equal([
      [START_MS, 'app_sunrise_puzzle', 'click_delay', 12n],
      [START_MS, 'app_sunrise_puzzle', 'request_mismatch', 4_012n],
      [START_MS + HOUR_MS, 'app_sunrise_puzzle', 'request_mismatch', 12n],
    ]);
  });

  it('keeps the first thousand of an app, rule and hour, with many sessions or none', async () => {
    const log = makePgSuspiciousEvents(database.pool);
    const sessions = (first: number, count: number) =>
      madeUp(count).map((event, index) => ({ ...event, sessionId: asSessionId(`s${first + index}`) }));
    expect(await log.add(sessions(0, 900))).to.equal(900);
    expect(await log.add([...madeUp(50, { sessionId: asSessionId('s0') }), ...sessions(900, 200)])).to.equal(
      100,
    );
    expect(await log.add(sessions(2_000, 10))).to.equal(0);
    const mismatch = { rule: 'package_mismatch', sessionId: null, placement: null, requestId: null };
    expect(await log.add(madeUp(1_005, mismatch))).to.equal(1_000);
    expect(
      await log.add(sessions(5_000, 3).map((event) => ({ ...event, appId: asAppId('app_other') }))),
    ).to.equal(3);
    expect(await counts()).to.deep.equal([
      [START_MS, 'app_other', 'request_mismatch', 3n],
      [START_MS, 'app_sunrise_puzzle', 'package_mismatch', 1_005n],
      [START_MS, 'app_sunrise_puzzle', 'request_mismatch', 1_160n],
    ]);
  });

  it('keeps the limits when several instances add at once', async () => {
    const log = makePgSuspiciousEvents(database.pool);
    const added = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        log.add([
          ...madeUp(20, { sessionId: asSessionId(`s${index % 2}`) }),
          ...madeUp(20, { sessionId: asSessionId(`s${(index + 1) % 2}`) }),
        ]),
      ),
    );
    expect(added.reduce((sum, count) => sum + count, 0)).to.equal(20);
    expect(await counts()).to.deep.equal([[START_MS, 'app_sunrise_puzzle', 'request_mismatch', 640n]]);
  });

  it('removes counts together with the entries of their time, and counts of sessions after some hours', async () => {
    const log = makePgSuspiciousEvents(database.pool);
    await fill([START_MS, START_MS + HOUR_MS]);
    const sessionsLeft = async (): Promise<number | null> =>
      (await database.pool.query('SELECT 1 FROM fraud.suspicious_session_hour')).rowCount;
    const bounds = { beforeMs: START_MS, sessionsBeforeMs: START_MS + HOUR_MS, countMax: 100 };
    expect(await log.prune(bounds, 10)).to.equal(1);
    expect([(await counts()).length, await sessionsLeft()]).to.deep.equal([2, 1]);
    expect(await log.prune({ ...bounds, beforeMs: START_MS + HOUR_MS }, 10)).to.equal(2);
    expect([(await counts()).length, (await rows()).length]).to.deep.equal([1, 1]);
  });

  it('removes entries that are too old', async () => {
    await fill([0, 1, 2, 3].map((ms) => START_MS + ms));
    const log = makePgSuspiciousEvents(database.pool);
    expect(await log.prune({ ...SESSIONS, beforeMs: START_MS + 2, countMax: 100 }, 10)).to.equal(2);
    expect(await keptMs()).to.deep.equal([2, 3]);
    expect(await log.prune({ ...SESSIONS, beforeMs: START_MS + 2, countMax: 100 }, 10)).to.equal(0);
  });

  it('removes the oldest entries when there are too many', async () => {
    await fill([5, 4, 3, 2, 1].map((ms) => START_MS + ms));
    const log = makePgSuspiciousEvents(database.pool);
    expect(await log.prune({ ...SESSIONS, beforeMs: START_MS, countMax: 2 }, 10)).to.equal(3);
    expect(await keptMs()).to.deep.equal([2, 1]);
  });

  it('removes a limited number at a time', async () => {
    await fill([0, 1, 2, 3, 4].map((ms) => START_MS + ms));
    const log = makePgSuspiciousEvents(database.pool);
    expect(await log.prune({ ...SESSIONS, beforeMs: START_MS + 10, countMax: 100 }, 2)).to.equal(2);
    expect(await keptMs()).to.deep.equal([2, 3, 4]);
  });

  it('allows several instances to remove at once', async () => {
    await fill(Array.from({ length: 200 }, (_, ms) => START_MS + ms));
    const log = makePgSuspiciousEvents(database.pool);
    const bounds = { ...SESSIONS, beforeMs: START_MS + 1_000, countMax: 10 };
    const counts = await Promise.all(Array.from({ length: 8 }, () => log.prune(bounds, 200)));
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(200);
  });

  it('fails with `unavailable` while Postgres is unavailable', async () => {
    const scope = makeTestScope();
    const log = makePgSuspiciousEvents(
      openPostgres(scope, { url: 'postgres://u:p@127.0.0.1:1/x', poolMax: 1, optional: true }),
    );
    const error: unknown = await log.add([testEvent()]).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'unavailable');
    await scope.close();
  });

  it('counts all events by rule and app, and entries by placement and session, those with most entries first', async () => {
    const log = makePgSuspiciousEvents(database.pool);
    await log.add([
      ...madeUp(12),
      testEvent({ placement: asPlacementCode('video'), sessionId: asSessionId('s2') }),
      testEvent({ rule: 'package_mismatch', placement: null, sessionId: null, requestId: null }),
      testEvent({ rule: 'duplicate', appId: asAppId('app_other'), atMs: START_MS + 2 * HOUR_MS }),
    ]);
    const count = makeCountSuspiciousEvents(log);
    const query = { fromMs: START_MS, toMs: START_MS + 1, rule: null, appId: null };
    const shown = async (overrides: Partial<SuspiciousQuery> & Pick<SuspiciousQuery, 'by'>) =>
      (await count({ ...query, ...overrides })).rows.map(({ keys, events, entries }) => [
        ...keys,
        events,
        entries,
      ]);
    expect(await shown({ by: ['rule'] })).to.deep.equal([
      ['request_mismatch', 12n, 10n],
      ['click_delay', 1n, 1n],
      ['package_mismatch', 1n, 1n],
    ]);
    expect(await shown({ by: ['rule', 'app', 'placement', 'session'] })).to.deep.equal([
      ['request_mismatch', 'app_sunrise_puzzle', 'home_banner', 's1', null, 10n],
      ['click_delay', 'app_sunrise_puzzle', 'video', 's2', null, 1n],
      ['package_mismatch', 'app_sunrise_puzzle', '', '', null, 1n],
    ]);
    const later = { toMs: START_MS + 3 * HOUR_MS };
    expect(await shown({ by: [], ...later })).to.deep.equal([[15n, 13n]]);
    expect(await shown({ by: ['rule'], ...later, appId: asAppId('app_other') })).to.deep.equal([
      ['duplicate', 1n, 1n],
    ]);
    const [row] = (await count({ ...query, by: ['rule'] })).rows;
    expect([row?.firstAtMs, row?.lastAtMs]).to.deep.equal([START_MS, START_MS + 9]);
  });

  it('refuses a rule that does not exist with those that do, unless the log has it', async () => {
    const log = makePgSuspiciousEvents(database.pool);
    await log.add([testEvent({ rule: 'of_another_release' })]);
    const count = makeCountSuspiciousEvents(log);
    const query = { by: ['app'], fromMs: START_MS, toMs: START_MS + 1, appId: null } as const;
    expect((await count({ ...query, rule: 'of_another_release' })).rows).to.have.length(1);
    expect((await count({ ...query, rule: 'click_through_rate' })).rows).to.deep.equal([]);
    for (const rule of ['no_such_rule', "x' OR true --"]) {
      const refused: unknown = await count({ ...query, rule }).catch((error: unknown) => error);
      expect((refused as AppError).code).to.equal('invalid_argument');
      expect((refused as AppError).publicText).to.match(
        /^There is no fraud rule .+\. Choose from .*click_delay, .*package_mismatch\.$/,
      );
    }
  });

  it('leaves out the rows with fewest entries beyond a thousand, and reports how many', async () => {
    const log = makePgSuspiciousEvents(database.pool);
    const session = (number: number, atMs: number) =>
      testEvent({ sessionId: asSessionId(`s${number}`), atMs });
    await log.add(Array.from({ length: 600 }, (_, number) => session(number, START_MS)));
    await log.add(Array.from({ length: 600 }, (_, number) => session(600 + number, START_MS + HOUR_MS)));
    await log.add([session(1_199, START_MS + HOUR_MS)]);
    const query = { fromMs: START_MS, toMs: START_MS + 2 * HOUR_MS, rule: null, appId: null };
    const { rows, rowsLeftOut } = await makeCountSuspiciousEvents(log)({ ...query, by: ['session'] });
    expect([rows.length, rowsLeftOut, rows[0]?.keys]).to.deep.equal([1_000, 200, ['s1199']]);
  });

  it('refuses a report of an empty range, and of a repeated key', async () => {
    const count = makeCountSuspiciousEvents(makePgSuspiciousEvents(database.pool));
    const query = { by: [], fromMs: START_MS, toMs: START_MS, rule: null, appId: null };
    for (const wrong of [query, { ...query, by: ['rule', 'rule'] as const, toMs: START_MS + 1 }]) {
      const refused: unknown = await count(wrong).catch((error: unknown) => error);
      expect((refused as AppError).code).to.equal('invalid_argument');
    }
  });
});
