import { fileURLToPath } from 'node:url';
import { openPostgres } from '@placard/service-kit';
import { asAppId, asPlacementCode, asRequestId, asSessionId } from '@placard/service-kit/pure';
import { makeTestScope, openTestDatabase, type TestDatabase } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { SuspiciousEvent } from '../src/domain/suspicious-event.js';
import { makePgSuspiciousEvents } from '../src/store/suspicious-events.pg.js';
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

describe('the suspicious-event log in Postgres', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase({ migrations: [{ schema: 'fraud', dir: MIGRATIONS }] });
  });
  after(() => database.drop());
  beforeEach(() => database.pool.query('TRUNCATE fraud.suspicious_events'));

  const rows = async (): Promise<unknown[]> => {
    const sql =
      'SELECT rule, event, app_id, placement, session_id, request_id, at FROM fraud.suspicious_events ORDER BY id';
    return (await database.pool.query<Record<string, unknown>>(sql)).rows;
  };
  const fill = (atMs: readonly number[]): Promise<void> =>
    makePgSuspiciousEvents(database.pool).add(atMs.map((at) => testEvent({ atMs: at })));
  const keptMs = async (): Promise<unknown[]> =>
    (await rows()).map((row) => (row as { at: number }).at - START_MS);

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

  it('removes what is too old', async () => {
    await fill([0, 1, 2, 3].map((ms) => START_MS + ms));
    const log = makePgSuspiciousEvents(database.pool);
    expect(await log.prune({ beforeMs: START_MS + 2, countMax: 100 }, 10)).to.equal(2);
    expect(await keptMs()).to.deep.equal([2, 3]);
    expect(await log.prune({ beforeMs: START_MS + 2, countMax: 100 }, 10)).to.equal(0);
  });

  it('removes the first that came when there are too many', async () => {
    await fill([5, 4, 3, 2, 1].map((ms) => START_MS + ms));
    const log = makePgSuspiciousEvents(database.pool);
    expect(await log.prune({ beforeMs: START_MS, countMax: 2 }, 10)).to.equal(3);
    expect(await keptMs()).to.deep.equal([2, 1]);
  });

  it('removes a bounded number at a time', async () => {
    await fill([0, 1, 2, 3, 4].map((ms) => START_MS + ms));
    const log = makePgSuspiciousEvents(database.pool);
    expect(await log.prune({ beforeMs: START_MS + 10, countMax: 100 }, 2)).to.equal(2);
    expect(await keptMs()).to.deep.equal([2, 3, 4]);
  });

  it('lets several instances remove at once', async () => {
    await fill(Array.from({ length: 200 }, (_, ms) => START_MS + ms));
    const log = makePgSuspiciousEvents(database.pool);
    const bounds = { beforeMs: START_MS + 1_000, countMax: 10 };
    const counts = await Promise.all(Array.from({ length: 8 }, () => log.prune(bounds, 200)));
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(200);
  });

  it('fails with `unavailable` while Postgres is away', async () => {
    const scope = makeTestScope();
    const log = makePgSuspiciousEvents(
      openPostgres(scope, { url: 'postgres://u:p@127.0.0.1:1/x', poolMax: 1, optional: true }),
    );
    const error: unknown = await log.add([testEvent()]).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'unavailable');
    await scope.close();
  });
});
