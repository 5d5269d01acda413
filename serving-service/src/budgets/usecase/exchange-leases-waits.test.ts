import { expect } from 'chai';
import { makeTestClock } from '@placard/service-kit/testing';
import { minuteOf } from '@placard/service-kit/pure';
import { makePurse, type Purse } from '../../../test/support/exchanger.js';
import { LeaseBank } from '../../../test/support/lease-bank.js';
import { aCampaign, aCatalog, NOON } from '../../../test/support/world.js';
import { CampaignIndex } from '../../selection/domain/campaign-index.js';
import { ANSWER_MS_MAX, OVERDUE_MS, PATIENT_MAX } from './exchange-leases.js';
import type { AskOutcome } from './open-want.js';

const CAMPAIGN = aCampaign();
/** Time of a request until its deadline. */
const REQUEST_MS = 1_000;
/** What it waits at most, so that its answer is in time. */
const WAIT_MS = 940;

describe('the wait of a request for money', () => {
  let nowMs: number;
  /** The waits for an exchange that does not answer. Short ones end at once. */
  let waits: number[];
  let purse: Purse;
  let ask: (isLast: boolean, leftMs?: number) => Promise<AskOutcome>;

  beforeEach(() => {
    nowMs = 0;
    waits = [];
    const clock = makeTestClock(NOON);
    const bank = new LeaseBank(() => clock.now());
    const index = CampaignIndex.of(aCatalog({ campaigns: [CAMPAIGN] }));
    purse = makePurse(
      { bank, index, clock },
      {
        exchange: () => new Promise(() => undefined),
        deadlineClock: { now: () => nowMs },
        wait: (ms) => {
          waits.push(ms);
          return ms === ANSWER_MS_MAX ? Promise.resolve() : new Promise(() => undefined);
        },
      },
    );
    const entry = index.get(CAMPAIGN.id);
    if (entry === undefined) throw new Error('the index has no campaign');
    ask = (isLast, leftMs = REQUEST_MS) => {
      const deadlineAt = nowMs + leftMs;
      return purse.exchanger.ask({ entry, minute: minuteOf(NOON), deadlineAt, next: [], isLast });
    };
  });

  it('is short while it has other candidates', async () => {
    expect(await ask(false)).to.equal('late');
    expect(waits).to.deep.equal([ANSWER_MS_MAX]);
  });

  it('lasts until shortly before its deadline when it has no other candidate', () => {
    void ask(true);
    expect(waits).to.deep.equal([WAIT_MS]);
  });

  it('is short again beside many others, and not begun once the exchange takes too long', async () => {
    for (let patient = 0; patient < PATIENT_MAX; patient += 1) void ask(true);
    expect(waits).to.deep.equal(new Array(PATIENT_MAX).fill(WAIT_MS));
    await new Promise((resolve) => setImmediate(resolve));
    nowMs += OVERDUE_MS - 1;
    expect(await ask(true)).to.equal('late');
    expect(waits.at(-1)).to.equal(ANSWER_MS_MAX);
    nowMs += 1;
    expect(await ask(true)).to.equal('late');
    expect(waits).to.have.length(PATIENT_MAX + 1);
  });

  it('is not begun without time, and asks for nothing', async () => {
    expect(await ask(true, REQUEST_MS - WAIT_MS)).to.equal('late');
    expect(waits).to.deep.equal([]);
  });
});
