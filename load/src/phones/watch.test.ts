import { makeTestTimers } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { watchInstance } from './watch.js';

const SECOND_MS = 1_000;

describe('the watch of an instance', () => {
  let isUp: boolean;
  let probes: number;
  let timers: ReturnType<typeof makeTestTimers>;
  beforeEach(() => {
    isUp = true;
    probes = 0;
    timers = makeTestTimers();
  });
  const watch = () =>
    watchInstance(() => {
      probes += 1;
      return Promise.resolve(isUp);
    }, timers);

  it('takes an instance for lost after twenty seconds without an answer', async () => {
    const { lost } = watch();
    await timers.advance(60 * SECOND_MS);
    isUp = false;
    await timers.advance(19 * SECOND_MS);
    expect(lost.aborted).to.equal(false);
    await timers.advance(SECOND_MS);
    expect(lost.aborted).to.equal(true);
  });

  it('begins to count again with each answer', async () => {
    const { lost } = watch();
    isUp = false;
    await timers.advance(19 * SECOND_MS);
    isUp = true;
    await timers.advance(SECOND_MS);
    isUp = false;
    await timers.advance(19 * SECOND_MS);
    expect(lost.aborted).to.equal(false);
  });

  it('asks no more once it is closed', async () => {
    const watched = watch();
    await timers.advance(SECOND_MS);
    watched.close();
    await timers.advance(60 * SECOND_MS);
    expect(probes).to.equal(1);
  });
});
