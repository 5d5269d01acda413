import { expect } from 'chai';
import { TimerWheel } from '../pure/timer-wheel.js';
import { makeTestLog, makeTestScope, settle } from '../testing/index.js';
import { openBreaker, type Breaker } from './breaker.js';

const LIMIT_MS = 400;
const TICK_MS = 5;

/** A call that the test ends. */
interface Pending {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: unknown) => void;
}

describe('a breaker', () => {
  let now: number;
  let wheel: TimerWheel;
  let log: ReturnType<typeof makeTestLog>;
  let scope: ReturnType<typeof makeTestScope>;
  let breaker: Breaker;
  let made: Pending[];
  beforeEach(() => {
    now = 0;
    wheel = new TimerWheel(TICK_MS, 64, now);
    log = makeTestLog();
    scope = makeTestScope({ log: log.log });
    breaker = openBreaker(
      scope,
      { dependency: 'redis' },
      { now: () => now, runAt: (atMs, run) => wheel.add(atMs, run) },
    );
    made = [];
  });

  const call = (): Promise<string> =>
    breaker.run(LIMIT_MS, () => new Promise((resolve, reject) => made.push({ resolve, reject })));
  /** Moves time in small steps, as it passes in a process that does not stand still. */
  const pass = async (ms: number): Promise<void> => {
    for (const endMs = now + ms; now < endMs;) {
      now += TICK_MS;
      wheel.advance(now);
      await settle();
    }
  };
  const failureOf = (pending: Promise<unknown>): Promise<string> =>
    pending.then(
      () => 'answered',
      (error: unknown) => String(error),
    );
  const LATE = 'AppError: unavailable: redis does not answer in time.';
  const open = async (): Promise<void> => {
    const late = [failureOf(call()), failureOf(call())];
    await pass(LIMIT_MS);
    expect(await Promise.all(late)).to.deep.equal([LATE, LATE]);
  };
  const valueOf = async (name: string): Promise<number | undefined> => {
    const metric = await scope.metrics.getSingleMetric(name)?.get();
    return metric?.values.find(({ labels }) => labels['dependency'] === 'redis')?.value;
  };

  it('gives the answer or the error of a call that ends in time', async () => {
    const [answered, failed] = [call(), failureOf(call())];
    made[0]?.resolve('PONG');
    made[1]?.reject(new Error('READONLY'));
    expect(await answered).to.equal('PONG');
    expect(await failed).to.equal('Error: READONLY');
    await pass(LIMIT_MS);
    expect(breaker.admits).to.equal(true);
  });

  it('is not opened by errors, because they cost no time', async () => {
    for (let count = 0; count < 100; count += 1) {
      const failed = failureOf(call());
      made[count]?.reject(new Error('the connection is reset'));
      await failed;
    }
    expect(breaker.admits).to.equal(true);
  });

  it('is not opened by calls that throw before they begin', async () => {
    const broken = (): Promise<string> => {
      throw new Error('the argument is wrong');
    };
    for (let count = 0; count < 2; count += 1)
      expect(await failureOf(breaker.run(LIMIT_MS, broken))).to.equal('Error: the argument is wrong');
    await pass(LIMIT_MS);
    expect(breaker.admits).to.equal(true);
  });

  it('answers a late call with unavailable and refuses the next ones without making them', async () => {
    await open();
    for (let count = 0; count < 50; count += 1) expect(await failureOf(call())).to.equal(LATE);
    expect(made).to.have.length(2);
    expect(await valueOf('placard_breaker_refusals_total')).to.equal(50);
  });

  it('lets a late call go on', async () => {
    let isDone = false;
    const late = failureOf(
      breaker.run(LIMIT_MS, async () => {
        await new Promise<string>((resolve, reject) => made.push({ resolve, reject }));
        isDone = true;
      }),
    );
    await pass(LIMIT_MS);
    expect(await late).to.equal(LATE);
    made[0]?.resolve('');
    await settle();
    expect(isDone).to.equal(true);
  });

  it('makes one trial after a pause and closes when it ends in time', async () => {
    await open();
    await pass(200);
    const [trial, refused] = [call(), failureOf(call())];
    expect(await refused).to.equal(LATE);
    made[2]?.resolve('PONG');
    expect(await trial).to.equal('PONG');
    expect(breaker.admits).to.equal(true);
  });

  it('shows its state, its openings and each change in metrics and log', async () => {
    expect(await valueOf('placard_breaker_state')).to.equal(0);
    await open();
    expect(await valueOf('placard_breaker_state')).to.equal(1);
    await pass(200);
    const trial = call();
    made[2]?.resolve('PONG');
    await trial;
    expect(await valueOf('placard_breaker_state')).to.equal(0);
    expect(await valueOf('placard_breaker_opens_total')).to.equal(1);
    expect(log.lines).to.deep.equal([
      { level: 'warn', msg: 'the dependency does not answer in time; it gets one call at a time' },
      { level: 'info', msg: 'the dependency answers in time again' },
    ]);
  });

  it('does not count calls that were late because this process stood still', async () => {
    const late = [failureOf(call()), failureOf(call())];
    now += 10 * LIMIT_MS;
    wheel.advance(now);
    await settle();
    expect(await Promise.all(late)).to.deep.equal([LATE, LATE]);
    expect(breaker.admits).to.equal(true);
  });

  it('gives the answer that came while this process stood still', async () => {
    const answered = call();
    now += 10 * LIMIT_MS;
    wheel.advance(now);
    made[0]?.resolve('PONG');
    expect(await answered).to.equal('PONG');
  });

  it('guards every method of a store with its own arguments', async () => {
    const store = { get: (key: string, times: number) => Promise.resolve(key.repeat(times)) };
    const guarded = breaker.guard(LIMIT_MS, store);
    expect(await guarded.get('ab', 2)).to.equal('abab');
    await open();
    expect(await failureOf(guarded.get('ab', 2))).to.equal(LATE);
  });

  describe('around a call with a time limit of its own', () => {
    it('opens when the call ends late and closes when the trial ends in time', async () => {
      for (const admitted of [breaker.admit(), breaker.admit()]) admitted?.late(0);
      expect(breaker.admit()).to.equal(null);
      await pass(200);
      breaker.admit()?.inTime();
      expect(breaker.admits).to.equal(true);
    });

    it('makes another trial after one that says nothing', async () => {
      for (const admitted of [breaker.admit(), breaker.admit()]) admitted?.late(0);
      await pass(200);
      breaker.admit()?.unclear();
      expect(breaker.admit()).to.equal(null);
      await pass(200);
      expect(breaker.admits).to.equal(true);
    });
  });
});
