import { expect } from 'chai';
import { planFaults } from '../failure/plan.js';
import { openRig } from '../failure/rig.js';
import { figuresOf, isGood, moneyOf, resultLines } from '../failure/result-table.js';
import { recordFault } from '../reliability/record-fault.js';
import { runFailures } from '../failure/run.js';

/** `npm run test:failure -- --minutes N` runs longer. */
const MINUTES = 1;
const MINUTE_MS = 60_000;
const START_AND_END_MS_MAX = 5 * MINUTE_MS;

describe('the product under faults for a minute', () => {
  const seed = Number(process.env['FAILURE_SEED'] ?? String(Date.now() % 1_000_000));

  it(`keeps every promise while ads expire, money is returned and replicas are stopped (FAILURE_SEED=${seed})`, async () => {
    const said: string[] = [];
    const say = (text: string): void => void said.push(text);
    const rig = await openRig({
      seed,
      scale: MINUTES,
      adTtlSeconds: 45,
      adsPerSecond: 14,
      holdMsMax: 50_000,
    });
    try {
      const plan = planFaults(seed, { holdMsMax: 5_000, hasLongStops: true });
      const result = await runFailures(rig, { plan, faultsMs: MINUTES * MINUTE_MS, say });
      expect(isGood(figuresOf(result.findings)), [...said, ...resultLines(result)].join('\n')).to.equal(true);
      const count = [...result.faults.values()].reduce((sum, each) => sum + each, 0);
      recordFault({
        fault: `faults of ${result.faults.size} kinds at random times, for ${MINUTES * 60} s`,
        clientsSaw: `${count} faults; events were repeated until they had a final answer`,
        recoveredMs: null,
        ...moneyOf(result.findings),
      });
    } finally {
      await rig.close();
    }
  }).timeout(MINUTES * MINUTE_MS + START_AND_END_MS_MAX);
});
