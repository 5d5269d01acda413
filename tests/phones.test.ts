import { expect } from 'chai';
import type { Network } from '../load/src/phones/domain/network.js';
import { reported, runFleetOn } from './driver/fleet.js';
import { World } from './driver/world.js';

const world = new World('plain');
const { app } = world.pair();

/** Loses one call in four, half of them after the server has answered. */
const BAD_NETWORK: Network = {
  name: 'bad',
  weight: 1,
  latencyMs: [2, 20],
  requestLost: 0.12,
  answerLost: 0.12,
  answerSilent: 0,
  spellsPerDay: 4,
};

describe('a fleet of phones', () => {
  world.use();

  it('has the same book as the reports, over networks that lose calls', async () => {
    const day = { sessions: 120, hours: 0.5, speed: 900, seed: 4, network: BAD_NETWORK };
    const outcome = await runFleetOn(world, app, day);
    expect(outcome.comparison.differences).to.deep.equal([]);
    expect(outcome.status, outcome.lines.join('\n')).to.equal(0);
    expect(outcome.lines.at(-1)).to.equal('differences 0');
    for (const remark of ['requests lost', 'answers lost', 'visits'] as const) {
      expect(outcome.remarks.get(remark), remark).to.be.above(0);
    }
    for (const figure of ['requests', 'fills', 'impressions']) {
      expect(reported(outcome, figure), figure).to.be.above(0);
    }
  });
});
