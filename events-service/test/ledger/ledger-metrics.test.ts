import { asAdvertiserId, SECOND_MS } from '@placard/service-kit/pure';
import {
  makeTestScope,
  makeTestTimers,
  until,
  type TestScope,
  type TestTimers,
} from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { readWorkerConfig } from '../../src/config.js';
import { makeRecordDeposit } from '../../src/ledger/usecase/record-deposit.js';
import { openSettlement } from '../../src/settlement-app.js';
import { openBed, openStores, send, type Bed } from '../support/bed.js';
import { PLANTED_FAULTS, tamper } from '../support/planted-faults.js';

/** The interval of the checks from the rows, and a little more. */
const PIECE_MS = 31 * SECOND_MS;
const CHECKS = [...new Set(PLANTED_FAULTS.map(({ check }) => check))];

describe('the worker shows the books as metrics', () => {
  let bed: Bed;
  let worker: TestScope;
  let timers: TestTimers;
  let requestId: string;
  beforeEach(async () => {
    bed = await openBed();
    await makeRecordDeposit(
      openStores(bed.pool).ledger,
      bed.clock,
    )({ advertiserId: asAdvertiserId('adv_northwind'), amountNanos: 500_000_000_000n, reference: 'A' });
    const claims = bed.fill();
    requestId = claims.requestId;
    await send(bed.instance(), 'impression', claims);
    await bed.settle();
  });
  afterEach(async () => {
    await worker.close();
    await bed.drop();
  });

  const openWorker = async (): Promise<void> => {
    const { url, redis } = await openTestRedis();
    timers = makeTestTimers();
    worker = makeTestScope({ name: 'settlement-worker', timers });
    worker.onClose('redis of the test', () => redis.disconnect());
    const config = { HOST: '127.0.0.1', METRICS_PORT: '0', DATABASE_URL: bed.url, REDIS_URL: url };
    await openSettlement(worker, readWorkerConfig(config));
  };
  const shown = async (): Promise<ReadonlyMap<string, string>> => {
    const text = await worker.metrics.metrics();
    const lines = text.matchAll(/^placard_ledger_check_ok\{check="(.*)"\} ([01])$/gm);
    return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
  };
  /** The results once every identity was checked. Each wait lets the next piece from the rows be checked. */
  const results = async (): Promise<ReadonlyMap<string, string>> => {
    await until(async () => {
      await timers.advance(PIECE_MS);
      return (await shown()).size >= CHECKS.length;
    });
    return shown();
  };

  it('every identity that events-service checks, by the day sums and from the rows, holds in correct books', async () => {
    await openWorker();
    const found = await results();
    expect([...found.keys()]).to.have.members(CHECKS);
    expect([...found.values()]).to.not.include('0');
    const text = await worker.metrics.metrics();
    for (const part of ['sums', 'rows'])
      expect(text).to.match(new RegExp(`checked_timestamp_seconds\\{part="${part}"\\} 1\\d{9}`));
  });

  for (const check of CHECKS)
    it(`0 when it does not hold: ${check}`, async () => {
      const { statement = '' } = PLANTED_FAULTS.find((fault) => fault.check === check) ?? {};
      await tamper(bed.pool, statement.replaceAll('$id', `'${requestId}'`));
      await openWorker();
      expect((await results()).get(check)).to.equal('0');
    });
});
